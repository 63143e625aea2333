import { expect, test } from 'vitest'
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

test('what no answer came to leaves open what the server did', () => {
  const { status, isAnswer } = asFailure(new DOMException('', 'AbortError'))
  expect([status, isAnswer]).toEqual([0, false])
})
