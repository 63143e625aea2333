import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { expect, test } from 'vitest'
import { fineMoney, isUneven, quantity, rate, symbolOf } from '../components/money/figures.ts'
import { money, sum } from './format.ts'

test('money has two decimals, half of a cent goes up, and a debt has its sign before the dollar', () => {
  expect(money(1234.5, 'USD')).toBe('$1,234.50')
  expect(money(-3.2, 'USD')).toBe('-$3.20')
  // As a binary number this is slightly less than half a cent.
  expect(money(1.005, 'USD')).toBe('$1.01')
  expect(money(-1.005, 'USD')).toBe('-$1.01')
  expect(money(-0.001, 'USD')).toBe('$0.00')
})

test('an amount names its currency, in US format', () => {
  expect(money(1234.5, 'EUR')).toBe('€1,234.50')
  // A no-break space, so that the amount stays on one line.
  expect(money(-1234.5, 'RON')).toBe('-RON\u00a01,234.50')
  expect(fineMoney(0.0305, 'RON')).toBe('RON\u00a00.0305')
  expect(['USD', 'EUR', 'RON'].map(symbolOf)).toEqual(['$', '€', 'RON'])
})

test('every currency is shown with the decimals that documents have', () => {
  const decimals = (shown: string) => shown.split('.')[1]?.length ?? 0
  for (const code of Intl.supportedValuesOf('currency'))
    expect([code, decimals(money(1.5, code))]).toEqual([code, minorUnits(code)])
})

test('currencies without minor units have no decimals', () => {
  expect(money(1234.5, 'JPY')).toBe('¥1,235')
  expect(money(-1234.4, 'HUF')).toBe('-HUF\u00a01,234')
  expect(rate(0.000125, 'HUF')).toBe('HUF\u00a00.000125')
})

test('small amounts and prices keep more decimals', () => {
  expect(fineMoney(0.0305, 'USD')).toBe('$0.0305')
  expect(fineMoney(4, 'USD')).toBe('$4.0000')
  expect(rate(0.000125, 'USD')).toBe('$0.000125')
  expect(rate(0.000001, 'USD')).toBe('$0.000001')
  expect(quantity(1234.5)).toBe('1,234.5')
})

test('amounts are added to the sixth decimal exactly', () => {
  expect(sum([0.1, 0.2])).toBe(0.3)
  expect(sum(Array.from({ length: 1000 }, () => 0.000001))).toBe(0.001)
  expect(sum([])).toBe(0)
})

test('amounts that are rounded one by one are known to miss their total', () => {
  expect(isUneven([0.004, 0.004, 0.004], 0.012)).toBe(true)
  expect(isUneven([1.25, -0.25], 1)).toBe(false)
  expect(isUneven([1.4, 1.4], 2.8, 0)).toBe(true)
})
