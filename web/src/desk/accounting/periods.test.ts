import { expect, test } from 'vitest'
import { isUnfinished, isWholeQuarters, namedPeriod } from './periods.ts'

test.each([
  ['month', '2026-01-15', { from: '2025-12-01', to: '2025-12-31' }],
  ['month', '2024-03-31', { from: '2024-02-01', to: '2024-02-29' }],
  ['quarter', '2026-01-01', { from: '2025-10-01', to: '2025-12-31' }],
  ['quarter', '2026-11-23', { from: '2026-07-01', to: '2026-09-30' }],
  ['this_year', '2026-11-23', { from: '2026-01-01', to: '2026-11-23' }],
  ['last_year', '2026-11-23', { from: '2025-01-01', to: '2025-12-31' }],
] as const)('%s on %s', (name, today, period) => {
  expect(namedPeriod(name, today)).toEqual(period)
})

test('a period of one’s own has no days yet', () => {
  expect(namedPeriod('own', '2026-11-23')).toBeUndefined()
})

test('a period that holds today has not ended; the last month, quarter and year have', () => {
  const today = '2026-11-23'
  const isOpen = (['month', 'quarter', 'last_year', 'this_year'] as const).map((name) =>
    isUnfinished(namedPeriod(name, today) ?? { from: today, to: today }, today),
  )
  expect(isOpen).toEqual([false, false, false, true])
  expect(isUnfinished({ from: '2026-11-01', to: '2026-11-22' }, today)).toBe(false)
  expect(isUnfinished({ from: '2026-11-01', to: '2026-11-30' }, today)).toBe(true)
})

test.each([
  ['2026-07-01', '2026-09-30', true],
  ['2026-01-01', '2026-12-31', true],
  ['2026-10-01', '2026-10-31', false],
  ['2026-02-01', '2026-03-31', false],
  ['2026-07-02', '2026-09-30', false],
  ['2026-07-01', '2026-09-29', false],
])('from %s to %s is of whole quarters: %s', (from, to, isWhole) => {
  expect(isWholeQuarters({ from, to })).toBe(isWhole)
})
