import * as z from 'zod/mini'
import { stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const longest = 365

const days = (least: number) =>
  z
    .int()
    .check(
      z.gte(least, fault('number_least', { least })),
      z.lte(longest, fault('number_most', { most: longest })),
    )

const letterDays = (least: number) =>
  z.array(days(0)).check(
    z.minLength(least, fault('entries_least', { least })),
    z.maxLength(10, fault('entries_most', { most: 10 })),
    z.overwrite((all) => [...new Set(all)].sort((a, b) => a - b)),
  )

/** The rules of debts, trials and prices, in days. */
export const policyDays = {
  /** A letter when the balance lasts at most so many days. */
  low_days: letterDays(1),
  /** A letter so many days after the balance went below zero. */
  negative_days: letterDays(0),
  /** A letter so many days after that, while the account is warned. */
  warned_letter_days: letterDays(0),
  /** Warned from this day below zero on. */
  warn_days: days(0),
  /** Panels are suspended from this day below zero on. */
  suspend_days: days(1),
  /** So many days after a suspension staff end the account. */
  terminate_days: days(1),
  /** For trials that begin later. */
  trial_days: days(1),
  /** The days that the balance must last for a new panel or a dearer plan; 0: none. */
  days_ahead: days(0),
  /** How long before a higher price its clients are told. */
  price_notice_days: days(0),
  /** Whether a suspended panel goes on costing its fee, for suspensions that begin later. */
  suspended_fee: z.enum(['stops', 'goes_on']),
} as const

export const billingPolicies = resource('billing-policies', {
  description: 'The rules of debts, trials and prices, in days; one row for the portal.',
  attributes: { ...policyDays, ...stamps },
  actions: {
    editPolicy: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: changes the rules. Clients’ pages show them at once; letters, warnings and suspensions follow within minutes. Needs a recent sign-in.',
      input: z.strictObject(policyDays),
      output: z.object({ suspend_days: z.int() }),
    }),
  },
})
