import * as z from 'zod/mini'
import { money, moneyInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const most = 9_999_999

const amount = (least: number) => moneyInput({ least, most })

const some = amount(0.01)

/** Owed amounts are below zero. */
const owed = z.number().check(
  z.lte(0, fault('number_most', { most: 0 })),
  z.gte(-most, fault('number_least', { least: -most })),
  z.refine((value) => /^-?\d+(?:\.\d{1,2})?$/.test(String(value)), fault('decimals_most')),
)

const policyAmounts = {
  /** For trials that begin later. */
  trial_credit: amount(0),
  /** Warned below this sum of balance and credit; at most 0. */
  warn_below: owed,
  /** Panels are suspended when more than this is owed. */
  credit_limit: amount(0),
  deposit_least: some,
  deposit_most: some,
  /** Offered with one click each. */
  quick_amounts: z.array(some).check(z.maxLength(8, fault('entries_most', { most: 8 }))),
  /** Of automatic payments: the least, and what their form proposes. */
  threshold_least: some,
  threshold_usual: some,
  recharge_least: some,
  recharge_usual: some,
  /** The highest monthly limit of automatic payments. */
  cap_most: some,
} as const

export const currencyPolicies = resource('currency-policies', {
  description:
    'The amounts of a currency that accounts are kept in: of warnings, deposits and automatic payments, without VAT.',
  attributes: {
    currency: z.string(),
    trial_credit: money,
    warn_below: money,
    credit_limit: money,
    deposit_least: money,
    deposit_most: money,
    quick_amounts: z.array(money),
    threshold_least: money,
    threshold_usual: money,
    recharge_least: money,
    recharge_usual: money,
    cap_most: money,
    ...stamps,
  },
  sorts: ['currency'],
  actions: {
    editAmounts: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: changes the amounts of a currency. Clients’ pages show them at once; warnings and suspensions follow within minutes. Needs a recent sign-in.',
      input: z.strictObject(policyAmounts),
      output: z.object({ currency: z.string() }),
    }),
  },
})
