import { expect, test } from 'vitest'
import { changeOf, sameDays } from './month.ts'

test('a month so far is compared with the same days of the one before', () => {
  expect(sameDays('2026-11-23')).toEqual({
    from: '2026-11-01',
    before: { month: '2026-10', from: '2026-10-01', to: '2026-10-23' },
  })
  expect(sameDays('2026-01-01').before).toEqual({ month: '2025-12', from: '2025-12-01', to: '2025-12-01' })
})

test('the last days of a longer month are compared with all of a shorter one', () => {
  expect(sameDays('2026-03-31').before).toEqual({ month: '2026-02', from: '2026-02-01', to: '2026-02-28' })
})

test.each([
  [110, 100, 10],
  [95, 100, -5],
  [100.4, 100, 0],
  [5, 0, undefined],
])('%f after %f is %s per cent more', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change)
})
