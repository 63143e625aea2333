import { expect, test } from 'vitest'
import { dayAfterKey, within } from './steps.ts'

const after = (key: string, day: string, shiftKey = false) => dayAfterKey({ key, shiftKey }, day)

test('arrows go from day to day and week to week, over the ends of months', () => {
  expect(after('ArrowRight', '2026-11-30')).toBe('2026-12-01')
  expect(after('ArrowLeft', '2026-01-01')).toBe('2025-12-31')
  expect(after('ArrowDown', '2028-02-25')).toBe('2028-03-03')
  expect(after('ArrowUp', '2026-11-03')).toBe('2026-10-27')
})

test('a week goes from Monday to Sunday', () => {
  expect([after('Home', '2026-11-22'), after('End', '2026-11-22')]).toEqual(['2026-11-16', '2026-11-22'])
  expect([after('Home', '2026-11-23'), after('End', '2026-11-23')]).toEqual(['2026-11-23', '2026-11-29'])
})

test('a page is a month, with Shift a year; a month that is too short ends earlier', () => {
  expect(after('PageDown', '2026-01-31')).toBe('2026-02-28')
  expect(after('PageUp', '2026-03-31')).toBe('2026-02-28')
  expect(after('PageDown', '2028-02-29', true)).toBe('2029-02-28')
  expect(after('PageUp', '2026-11-22', true)).toBe('2025-11-22')
  expect(after('Enter', '2026-11-22')).toBeUndefined()
})

test('no step leaves the range of years', () => {
  expect([within('1899-12-31'), within('2101-01-01'), within('2026-11-22')]).toEqual([
    '1900-01-01',
    '2100-12-31',
    '2026-11-22',
  ])
  expect(within('2026-11-21', '2026-11-22')).toBe('2026-11-22')
})
