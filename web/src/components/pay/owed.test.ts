import { expect, test } from 'vitest'
import { owedBy } from './owed.ts'

const account = (
  due: number,
  available: number,
  least = 1,
  currency = 'USD',
): Parameters<typeof owedBy>[0] => ({
  banner: { show: true, reason: 'balance', amount_due: due, suspend_on: null },
  available,
  currency,
  amounts: {
    deposit_least: least,
    deposit_most: 5000,
    quick_amounts: [],
    threshold_least: 1,
    threshold_usual: 15,
    recharge_least: 5,
    recharge_usual: 50,
    cap_most: 5000,
  },
})

test.each([
  ['nothing without a debt, whatever is still to be charged', account(0, -0.2), undefined],
  ['the debt and the usage of today', account(8.63, -8.83), 8.83],
  ['up to the next cent, so that nothing is left', account(8.631_001, -8.630_001), 8.64],
  ['an amount of whole cents as it is', account(0.29, -0.29, 0), 0.29],
  ['up to the next unit where there are no cents', account(100.2, -100.4, 0, 'HUF'), 101],
  ['no less than the smallest deposit', account(0.4, -0.4, 5), 5],
])('%s', (_, profile, expected) => {
  expect(owedBy(profile)).toBe(expected)
})
