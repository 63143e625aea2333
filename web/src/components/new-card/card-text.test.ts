import { describe, expect, test } from 'vitest'
import { expiryAsTyped, isOver, laterExpiry, numberAsTyped } from './card-text.ts'

test.each([
  ['4242', '4242'],
  ['42424', '4242 4'],
  ['4242-4242x4242 4242', '4242 4242 4242 4242'],
  ['', ''],
])('the number %j is shown as %j', (typed, shown) => {
  expect(numberAsTyped(typed)).toBe(shown)
})

describe('an expiry', () => {
  test.each([
    ['1', '', '1'],
    ['12', '1', '12/'],
    ['12/3', '12/', '12/3'],
    ['12/30', '12/3', '12/30'],
    ['12/301', '12/30', '12/30'],
    ['4', '', '04/'],
    ['1230', '', '12/30'],
    ['12/', '12/3', '12'],
    ['1', '12', '1'],
  ])('%j after %j is shown as %j', (typed, before, shown) => {
    expect(expiryAsTyped(typed, before)).toBe(shown)
  })

  test.each([
    ['11/26', false],
    ['10/26', true],
    ['12/25', true],
    ['01/27', false],
  ])('%s is over in November 2026: %j', (expiry, over) => {
    expect(isOver(expiry, new Date(2026, 10, 30))).toBe(over)
  })

  test('of a test card is not over', () => {
    const today = new Date(2026, 11, 31)
    expect(laterExpiry(today)).toBe('12/30')
    expect(isOver(laterExpiry(today), today)).toBe(false)
  })
})
