import { expect, test } from 'vitest'
import { joined, periodsOf, stateOf } from './periods.ts'

test('what held before the first change has no beginning, and what holds since the last has no end', () => {
  const changes = [
    { on: '2026-03-01', before: 7, after: 14 },
    { on: '2026-11-20', before: 14, after: 10 },
  ]
  expect(periodsOf(changes)).toEqual([
    { from: null, to: '2026-03-01', value: 7 },
    { from: '2026-03-01', to: '2026-11-20', value: 14 },
    { from: '2026-11-20', to: null, value: 10 },
  ])
})

test('a value that was changed again on its first day is left out', () => {
  const changes = [
    { on: '2026-03-01', before: 7, after: 14 },
    { on: '2026-03-01', before: 14, after: 10 },
  ]
  expect(periodsOf(changes).map(({ value }) => value)).toEqual([7, 10])
  expect(periodsOf([])).toEqual([])
})

test.each([
  [{ from: null, to: '2026-11-21' }, 'past'],
  [{ from: null, to: '2026-11-22' }, 'now'],
  [{ from: '2026-11-21', to: null }, 'now'],
  [{ from: '2026-11-22', to: null }, 'next'],
] as const)('a period of %o is of %s on the 21st', (period, state) => {
  expect(stateOf(period, '2026-11-21')).toBe(state)
})

test('neighbours that say the same are one period, and a gap between them stays', () => {
  const spans = [
    { from: null, to: '2025-01-01', words: '20%' },
    { from: '2025-01-01', to: '2026-01-01', words: '20%' },
    { from: '2026-01-01', to: '2026-02-01', words: '21%' },
    { from: '2026-03-01', to: null, words: '21%' },
  ]
  expect(joined(spans)).toEqual([{ from: null, to: '2026-01-01', words: '20%' }, ...spans.slice(2)])
})
