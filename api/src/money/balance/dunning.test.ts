import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { expect, test } from 'vitest'
import { lowSince, type Policy, type Standing, statusOf, stepsDue } from './dunning.ts'

const policy: Policy = {
  low_days: [7, 3],
  negative_days: [0, 3, 7],
  warned_letter_days: [15, 18, 20],
  warn_days: 15,
  suspend_days: 21,
}
const fine: Standing = {
  status: billingStatus.ok,
  inTrial: false,
  trialSpent: false,
  sign: 1,
  belowWarning: false,
  beyondLimit: false,
  negativeDays: 0,
  lastsDays: 30,
  held: false,
}
const debt = { sign: -1, lastsDays: 0 } as const
const none = { sign: 0, lastsDays: null } as const

test.each<[string, Partial<Standing>, keyof typeof billingStatus]>([
  ['all is well', {}, 'ok'],
  ['nothing is used', none, 'ok'],
  ['eight days are left', { lastsDays: 8 }, 'ok'],
  ['seven days are left', { lastsDays: 7 }, 'low'],
  ['nothing is left, and nothing owed', { sign: 0, lastsDays: 0 }, 'low'],
  ['below zero since today', debt, 'negative'],
  ['below zero for 14 days', { ...debt, negativeDays: 14 }, 'negative'],
  ['below zero for 15 days', { ...debt, negativeDays: 15 }, 'warned'],
  ['more is owed than is let pass', { ...debt, belowWarning: true }, 'warned'],
  ['below zero for 20 days', { ...debt, negativeDays: 20 }, 'warned'],
  ['below zero for 21 days', { ...debt, negativeDays: 21 }, 'suspended'],
  ['beyond the limit of credit', { ...debt, belowWarning: true, beyondLimit: true }, 'suspended'],
  ['the same, but held by staff', { ...debt, belowWarning: true, beyondLimit: true, held: true }, 'warned'],
  ['suspended, and part of it was paid', { ...debt, status: billingStatus.suspended }, 'suspended'],
  ['suspended, and all was paid', { ...none, status: billingStatus.suspended }, 'ok'],
  [
    'suspended, and payment was promised',
    { ...debt, status: billingStatus.suspended, held: true },
    'negative',
  ],
  ['on trial, whatever is used', { inTrial: true, lastsDays: 2 }, 'trial'],
  ['the trial is over and nothing was paid', { ...none, trialSpent: true }, 'suspended'],
  ['the trial is over, and other credit is there', { trialSpent: true }, 'ok'],
  ['the trial is over, and more was used than it gave', { ...debt, trialSpent: true }, 'suspended'],
  ['ended by staff', { status: billingStatus.terminated }, 'terminated'],
])('%s', (_, more, status) => {
  expect(statusOf({ ...fine, ...more }, policy)).toBe(billingStatus[status])
})

test.each<[string, Partial<Standing>, keyof typeof billingStatus, string[]]>([
  ['all is well', {}, 'ok', []],
  ['five days are left', { lastsDays: 5 }, 'low', ['balance-low:7']],
  ['three days are left', { lastsDays: 3 }, 'low', ['balance-low:7', 'balance-low:3']],
  ['day 0', debt, 'negative', ['balance-negative:0']],
  ['day 6', { ...debt, negativeDays: 6 }, 'negative', ['balance-negative:0', 'balance-negative:3']],
  ['a large debt of today', { ...debt, belowWarning: true }, 'warned', ['balance-negative:0']],
  [
    'day 18',
    { ...debt, negativeDays: 18 },
    'warned',
    [
      'balance-negative:0',
      'balance-negative:3',
      'balance-negative:7',
      'balance-warned:15',
      'balance-warned:18',
    ],
  ],
  ['suspended', { ...debt, negativeDays: 30 }, 'suspended', []],
])('the announcements that are due: %s', (_, more, status, names) => {
  expect(stepsDue({ ...fine, ...more }, billingStatus[status], policy).map(({ name }) => name)).toEqual(names)
})

test('a balance that hovers about the line is low for one time', () => {
  const at = (lastsDays: number | null, low_since: string | null, status: keyof typeof billingStatus) =>
    lowSince({ ...fine, lastsDays }, billingStatus[status], policy, { low_since, today: '2026-03-10' })
  expect(at(7, null, 'low')).toBe('2026-03-10')
  expect(at(6, '2026-03-01', 'low')).toBe('2026-03-01')
  expect(at(9, '2026-03-01', 'ok')).toBe('2026-03-01')
  expect(at(10, '2026-03-01', 'ok')).toBeNull()
  expect(at(null, '2026-03-01', 'ok')).toBeNull()
})
