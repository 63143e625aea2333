import { expect, test } from 'vitest'
import { periodIn, rangeOf } from './period.ts'

const today = '2026-11-21'

test('the address says which period, and without it the present month is meant', () => {
  expect(periodIn(undefined, today)).toEqual({ kind: 'month', month: '2026-11' })
  expect(periodIn('2026-13', today)).toEqual({ kind: 'month', month: '2026-11' })
  expect(periodIn('2026-02-31', today)).toEqual({ kind: 'day', day: '2026-02-31' })
  expect(periodIn('year', today)).toEqual({ kind: 'year' })
})

test('a period ends today at the latest', () => {
  expect(rangeOf({ kind: 'month', month: '2026-11' }, today)).toEqual({ from: '2026-11-01', to: today })
  expect(rangeOf({ kind: 'month', month: '2026-02' }, today)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  })
  expect(rangeOf({ kind: 'year' }, today)).toEqual({ from: '2025-12-01', to: today })
  expect(rangeOf({ kind: 'day', day: today }, today)).toEqual({ from: today, to: today })
})
