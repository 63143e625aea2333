import { expect, test, vi } from 'vitest'
import { startLanguage } from '../stores/language.ts'
import { asFailure, Failure } from './failure.ts'

test.each<[string, unknown, string]>([
  ['a call that was cancelled', new DOMException('', 'AbortError'), 'Call cancelled'],
  ['a connection that broke', new TypeError('fetch failed'), 'An error has occured'],
  ['something that is no error at all', undefined, 'An error has occured'],
  ['a refusal without a word', new Failure(500, []), 'An error has occured'],
  ['a refusal that says why', new Failure(422, [{ detail: 'Too long.' }, { detail: 'No.' }]), 'Too long.'],
])('%s reads as the person is to read it', (_, thrown, message) => {
  expect(asFailure(thrown).message).toBe(message)
})

test('a request without a response leaves open whether the server acted', () => {
  const { status, isAnswer } = asFailure(new DOMException('', 'AbortError'))
  expect([status, isAnswer]).toEqual([0, false])
})

test('the portal’s own messages about a failure are in the language of the page', () => {
  startLanguage('ro')
  expect(new Failure(500, [{}]).message).toBe('A apărut o eroare')
  expect(asFailure(new DOMException('', 'AbortError')).message).toBe('Cererea a fost anulată')
  startLanguage('en')
})

test('the id to quote is the server’s, else that of the call, and none without a network', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  expect(new Failure(500, [{ id: 'of-the-server' }], undefined, undefined, trace).requestId).toBe(
    'of-the-server',
  )
  expect(new Failure(502, [], undefined, undefined, trace).requestId).toBe(trace)
  vi.stubGlobal('navigator', { onLine: true })
  expect(asFailure(new TypeError('fetch failed'), trace).requestId).toBe(trace)
  expect(asFailure(new DOMException('', 'AbortError'), trace).requestId).toBeUndefined()
  vi.stubGlobal('navigator', { onLine: false })
  expect(asFailure(new TypeError('fetch failed'), trace).requestId).toBeUndefined()
  vi.unstubAllGlobals()
})
