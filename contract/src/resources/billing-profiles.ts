import * as z from 'zod/mini'
import { idParameter, moment, money } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'

/** Whether the client is to be told to pay on every page, why, how much, and when panels stop if nothing is paid. */
const banner = z.object({
  show: z.boolean(),
  reason: z.nullable(z.enum(['balance', 'days', 'suspended'])),
  amount_due: money,
  suspend_on: z.nullable(z.iso.date()),
})

/** What happens by the operator's rules when nothing is paid, and on which UTC day; `reached` when that day has come. */
const policyStep = z.object({
  step: z.enum(['trial_ends', 'low', 'negative', 'warned', 'suspended', 'terminated']),
  on: z.iso.date(),
  reached: z.boolean(),
})

/** An amount to try out: as large as anybody might mean it. */
const supposed = z.number().check(z.gte(0), z.lte(1_000_000))

/**
 * The operator's limits for an account in its currency, without VAT: of deposits, which also bound refunds and amounts of
 * automatic payment, and of automatic payment, with what its form proposes.
 */
const amounts = z.object({
  deposit_least: money,
  deposit_most: money,
  quick_amounts: z.array(money),
  threshold_least: money,
  threshold_usual: money,
  recharge_least: money,
  recharge_usual: money,
  cap_most: money,
})

/** What a document needs of the billing details; `sector`: in Bucharest the city has to be one of SECTOR1 to SECTOR6. */
const billingGap = z.enum([
  'company_name',
  'address1',
  'city',
  'zip_code',
  'country_id',
  'county_id',
  'sector',
])
export type BillingGap = z.output<typeof billingGap>

export const billingProfiles = resource('billing-profiles', {
  description: 'The billing state of an account at a glance, computed; its id is the client’s.',
  attributes: {
    /** The UTC day that it is for the books: today, which a demo moves ahead. Every other day here counts from it. */
    as_of: z.iso.date(),
    currency: z.string(),
    account_balance: money,
    credit_balance: money,
    /** What was used and is not charged yet, and what balance and credit come to without it. */
    uncharged_today: money,
    available: money,
    /** The mean of the last seven complete UTC days, or of as many as there were: so many. With none, today's use in 24 hours. */
    daily_use: money,
    daily_use_basis_days: z.int(),
    /** The UTC day on which what is available is used up; null without use, and when that is more than five years away. */
    exhaustion_date: z.nullable(z.iso.date()),
    /** Full UTC days below zero. */
    negative_days: z.int(),
    /** How much may be owed before panels are suspended. */
    credit_limit: money,
    amounts,
    /** As the client’s: 0 trial, 1 ok, 2 low, 3 negative, 4 warned, 5 suspended, 6 terminated. */
    billing_status: z.int(),
    banner,
    policy_timeline: z.array(policyStep),
    /** Whether the fields an invoice needs are all there (seed, section 5: null fails, an empty string passes). */
    billing_complete: z.boolean(),
    /** What is missing for a document, by which the month is billed: stricter than `billing_complete`. */
    billing_missing: z.array(billingGap),
    trial_ends_at: z.nullable(z.string()),
    /** Whether a card is charged by itself when the balance is low. */
    payment_mode: z.enum(['auto', 'manual']),
    /**
     * What the tax office said of the VAT number as it is now: nothing of a person or of a company outside the EU; pending
     * until it was asked; unavailable when it did not answer the last time.
     */
    vat_check_status: z.enum(['none', 'pending', 'valid', 'invalid', 'unavailable']),
    vat_checked_at: z.nullable(moment),
    /** What is left to be paid of service bills, VAT included. */
    service_bills_sum: money,
    /** The operator’s day on which what was used is billed next; null when there is nothing to bill. */
    next_bill_on: z.nullable(z.iso.date()),
  },
  relationships: { client: toOne('clients') },
  filters: { client_id: idParameter },
  actions: {
    forecast: action({
      method: 'GET',
      on: 'one',
      description:
        'What would be if so much were paid now and so much more used each day: how long it lasts, and what happens when. Nothing changes by it. Amounts are net, in the account’s currency.',
      input: z.strictObject({ pay: z.optional(supposed), extra_daily: z.optional(supposed) }),
      output: z.object({
        daily_use: money,
        available: money,
        exhaustion_date: z.nullable(z.iso.date()),
        policy_timeline: z.array(policyStep),
      }),
    }),
  },
})
