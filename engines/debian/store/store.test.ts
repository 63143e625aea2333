import { expect, onTestFinished, test } from 'vitest'
import { Store } from './store.ts'

const minute = 60_000

function opened(): Store {
  const store = new Store(':memory:')
  onTestFinished(() => store.close())
  return store
}

const visit = { panel: 'p-1', subject: 'client-1', about: { scopes: ['account_access'] } }

test('a link is exchanged once for a session, which lives while it is used', () => {
  const store = opened()
  const now = Date.now()
  const token = store.addLink(visit, now + minute)
  const session = store.enter(token, 30 * minute, now) ?? ''
  expect(store.enter(token, 30 * minute, now)).toBeUndefined()
  expect(store.visit(token, 30 * minute, now)).toBeUndefined()
  expect(store.visit(session, 30 * minute, now + 29 * minute)).toEqual(visit)
  expect(store.visit(session, 30 * minute, now + 58 * minute)).toEqual(visit)
  expect(store.visit(session, 30 * minute, now + 89 * minute)).toBeUndefined()
})

test('a link that is too old lets nobody in', () => {
  const store = opened()
  const now = Date.now()
  expect(store.enter(store.addLink(visit, now - 1), minute, now)).toBeUndefined()
})

test('a person who lost access is out, and the others stay', () => {
  const store = opened()
  const now = Date.now()
  const enter = (subject: string) =>
    store.enter(store.addLink({ ...visit, subject }, now + minute), minute, now) ?? ''
  const [mine, other] = [enter('client-1'), enter('client-2')]
  store.endVisits('p-1', 'client-1')
  expect(store.visit(mine, minute, now)).toBeUndefined()
  expect(store.visit(other, minute, now)?.subject).toBe('client-2')
})

test('only hashes of links and sessions are kept', () => {
  const store = opened()
  const token = store.addLink(visit, Date.now() + minute)
  expect(JSON.stringify(store.all('select * from visits'))).not.toContain(token)
})

test('a webhook-id is new once, and again after its message is too old to be believed', () => {
  const store = opened()
  expect([store.isNew('m-1', 0), store.isNew('m-1', 1000), store.isNew('m-1', 700_000)]).toEqual([
    true,
    false,
    true,
  ])
})

test('a request that was begun and not answered says since when', () => {
  const store = opened()
  expect(store.beginAnswer('k', 5)).toBeUndefined()
  expect([store.beginAnswer('k', 9), store.answerTo('k')]).toEqual([5, undefined])
  store.keepAnswer('k', { status: 'running' })
  expect(store.answerTo('k')).toEqual({ status: 'running' })
})
