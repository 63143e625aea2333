import { expect, test } from 'vitest'
import { periodInWords, periodOf, stepped } from './period.ts'

test.each([
  ['months', '2026-11', '2025-12-01', '2026-11-30', 'Dec 2025 – Nov 2026'],
  ['month', '2024-02', '2024-02-01', '2024-02-29', 'February 2024'],
  ['quarter', '2026-11', '2026-10-01', '2026-12-31', 'Oct – Dec 2026'],
  ['quarter', '2026-03', '2026-01-01', '2026-03-31', 'Jan – Mar 2026'],
  ['year', '2026-07', '2026-01-01', '2026-12-31', '2026'],
] as const)('the %s of %s', (unit, month, from, to, words) => {
  const period = periodOf(unit, month)
  expect([period.from, period.to]).toEqual([from, to])
  expect(periodInWords(period, 'en').replaceAll(/\s/g, ' ')).toBe(words)
})

test('periods follow one another up to that of today', () => {
  const quarter = periodOf('quarter', '2026-11')
  expect(stepped(quarter, -1, '2026-11-24')?.from).toBe('2026-07-01')
  expect(stepped(quarter, 1, '2026-11-24')).toBeUndefined()
  expect(stepped(periodOf('year', '2025-01'), 1, '2026-11-24')?.to).toBe('2026-12-31')
})
