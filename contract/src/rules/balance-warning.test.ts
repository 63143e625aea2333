import { expect, test } from 'vitest'
import { balanceWarning } from './balance-warning.ts'

const holding = (account_balance: number, credit_balance = 0) => ({ account_balance, credit_balance })

test.each([
  ['exactly -3.00 is quiet', holding(-3), 0, false],
  ['-3.01 warns', holding(-3.01), 0, true],
  ['the smallest amount below -3 warns', holding(-3.000001), 0, true],
  ['credit counts', holding(-8, 5), 0, false],
  ['a sum that floats miss is still -3.00', holding(-3.3, 0.3), 0, false],
  ['day 14 is quiet', holding(-1), 14, false],
  ['day 15 warns, however small the debt', holding(-0.01), 15, true],
  ['a full purse is quiet', holding(41.27, 8), 0, false],
])('%s', (_, account, days, warns) => {
  expect(balanceWarning(account, days)).toBe(warns)
})
