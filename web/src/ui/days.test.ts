import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dayInWords,
  daysBetween,
  daysFrom,
  lastOf,
  monthInWords,
  monthsFrom,
} from './days.ts'

test('days are added over ends of months and years, and over the days that clocks are put forward', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-29', -1)).toBe('2026-03-28')
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysFrom('2026-11-29', '2026-12-01')).toEqual(['2026-11-29', '2026-11-30', '2026-12-01'])
})

test('months are counted by name, with any length', () => {
  expect(addMonths('2026-11', 2)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(lastOf('2028-02')).toBe('2028-02-29')
  expect(monthsFrom('2026-11-30', '2027-01-01')).toEqual(['2026-11', '2026-12', '2027-01'])
  expect(monthsFrom('2026-11-01', '2026-11-30')).toEqual(['2026-11'])
})

test('a day keeps its date in every zone', () => {
  expect(dayInWords('2026-11-21', 'en')).toBe('Nov 21, 2026')
  expect(dayInWords('2026-11-21', 'ro')).toBe('21 nov. 2026')
  expect(monthInWords('2026-11', 'ro')).toBe('noiembrie 2026')
})
