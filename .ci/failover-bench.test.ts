import { expect, test } from 'vitest'
import { isServed } from '../bench/cluster/patroni.ts'
import { type Attempt, longestSilence } from '../bench/cluster/traffic.ts'

test('a pair is whole when its leader streams to the standby and waits for it, and only then', () => {
  const of = (application_name: string, state: string, sync_state: string) => ({
    role: 'master',
    replication: [{ application_name, state, sync_state, sync_priority: 1 }],
  })
  expect(isServed(of('db2', 'streaming', 'sync'), 'db2')).toBe(true)
  for (const said of [
    of('db2', 'streaming', 'async'),
    of('db2', 'catchup', 'sync'),
    of('db3', 'streaming', 'sync'),
    // A primary that nobody follows, one that has just lost the lead, and one that does not answer.
    { role: 'master' },
    {},
    undefined,
  ])
    expect(isServed(said, 'db2')).toBe(false)
})

const attempt = (at: number, status: number, kind: Attempt['kind'] = 'read', to = 'a'): Attempt => ({
  to,
  kind,
  at,
  took: 1,
  status,
})

test('the longest silence is that of one kind at one address, with what it answered meanwhile', () => {
  const every = (from: number, to: number, status: number, kind: Attempt['kind'], address: string) =>
    Array.from({ length: to - from }, (_, n) => attempt(from + n, status, kind, address))
  const attempts = [
    ...every(0, 100, 200, 'read', 'a'),
    ...every(0, 100, 200, 'read', 'b'),
    ...every(0, 40, 201, 'deposit', 'a'),
    ...every(40, 70, 503, 'project', 'a'),
    attempt(60, 409, 'deposit', 'a'),
    ...every(70, 100, 201, 'project', 'a'),
    ...every(0, 100, 201, 'project', 'b'),
    // Before the part that is looked at.
    attempt(-50, 503, 'read', 'b'),
  ]
  expect(longestSilence(attempts, 0, 100)).toEqual({
    ms: 31,
    of: 'writes of a',
    answers: '30 x 503, 1 x 409',
  })
})

test('an address that answers nothing is silent for all of the part', () => {
  const attempts = [attempt(-5, 200), ...[10, 20, 30].map((at) => attempt(at, 0))]
  expect(longestSilence(attempts, 0, 40)).toEqual({ ms: 40, of: 'reads of a', answers: '3 x 0' })
  expect(longestSilence([attempt(-5, 200)], 0, 40)).toEqual({
    ms: 40,
    of: 'reads of a',
    answers: 'no answer',
  })
})
