import * as z from 'zod/mini'
import { idParameter, moment, money, noInput } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { planCode } from './plans.ts'

/**
 * Whether every page asks the client to pay, why, how much, and when panels are suspended if nothing is paid.
 */
const banner = z.object({
  show: z.boolean(),
  reason: z.nullable(z.enum(['balance', 'days', 'suspended'])),
  amount_due: money,
  suspend_on: z.nullable(z.iso.date()),
})

/** The dates of the dunning policy if nothing is paid, as UTC days; `reached` once the day has come. */
const policyStep = z.object({
  step: z.enum(['trial_ends', 'low', 'negative', 'warned', 'suspended', 'terminated']),
  on: z.iso.date(),
  reached: z.boolean(),
})

/** The upper limit of an amount to try out. */
const supposed = z.number().check(z.gte(0), z.lte(1_000_000))

/**
 * The operator's limits for an account in its currency, without VAT: of deposits, which also limit refunds,
 * and of automatic payments, with the values that its form proposes.
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

/**
 * The billing details that a document needs; `sector`: in Bucharest the city must be one of SECTOR1 to
 * SECTOR6.
 */
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
    /**
     * The current UTC day by the business clock, which a demo advances. Every other day here is relative to
     * it.
     */
    as_of: z.iso.date(),
    currency: z.string(),
    account_balance: money,
    credit_balance: money,
    /** The usage that is not charged yet, and balance and credit less that usage. */
    uncharged_today: money,
    available: money,
    /** The credit of a trial that is given once the country is known, or with the first panel. */
    trial_credit_waiting: money,
    /**
     * The present fees of plans, and the average metered use of the last seven complete UTC days, or of fewer if there
     * are fewer: so many. Without any, today's use in 24 hours.
     */
    daily_use: money,
    daily_use_basis_days: z.int(),
    /** The daily cost of the plans of panels, a part of `daily_use`. */
    fee_daily: money,
    /**
     * The UTC day when the available amount is used up; null without usage, and when it is more than five
     * years away.
     */
    exhaustion_date: z.nullable(z.iso.date()),
    /** Complete UTC days with a balance below zero. */
    negative_days: z.int(),
    /** The debt at which panels are suspended. */
    credit_limit: money,
    /** The client is warned while balance and credit together are below this amount, zero or less. */
    warn_below: money,
    amounts,
    /** As the client’s: 0 trial, 1 ok, 2 low, 3 negative, 4 warned, 5 suspended, 6 terminated. */
    billing_status: z.int(),
    banner,
    policy_timeline: z.array(policyStep),
    /** Whether all fields that an invoice needs are filled in: null fails, an empty string passes. */
    billing_complete: z.boolean(),
    /** Whether it has a panel or a payment, so that documents are issued to it. */
    is_invoiced: z.boolean(),
    /** The fields that a document, and so the monthly bill, still needs: stricter than `billing_complete`. */
    billing_missing: z.array(billingGap),
    trial_ends_at: z.nullable(z.string()),
    /** Whether a card is charged automatically when the balance is low. */
    payment_mode: z.enum(['auto', 'manual']),
    /**
     * Whether that is on, not paused, and has a card that can be charged. New panels ask for more: the last charge of the
     * card has to have succeeded too.
     */
    automatic_works: z.boolean(),
    /**
     * The tax office's answer about the present VAT number: none for a person or a company outside the EU;
     * pending until it is asked; unavailable when it did not answer the last time.
     */
    vat_check_status: z.enum(['none', 'pending', 'valid', 'invalid', 'unavailable']),
    vat_checked_at: z.nullable(moment),
    /** The unpaid amount of service bills, VAT included. */
    service_bills_sum: money,
    /** The operator's day when usage is billed next; null when there is none to bill. */
    next_bill_on: z.nullable(z.iso.date()),
    /** The legal name of the operator, who sells and charges; null until it is entered. */
    seller: z.nullable(z.string()),
  },
  relationships: { client: toOne('clients') },
  filters: { client_id: idParameter },
  actions: {
    history: action({
      method: 'GET',
      on: 'one',
      description:
        'Balance and credit together at the end of each of the last 60 UTC days, oldest first; the last is today.',
      input: noInput,
      output: z.object({ days: z.array(z.object({ on: z.iso.date(), held: money })) }),
    }),
    forecast: action({
      method: 'GET',
      on: 'one',
      description:
        'A forecast for a payment, additional daily usage, and one more panel of a plan: how long the balance would last, and what would happen when. It changes nothing. Amounts are net, in the account’s currency.',
      input: z.strictObject({
        pay: z.optional(supposed),
        extra_daily: z.optional(supposed),
        plan: z.optional(planCode),
      }),
      output: z.object({
        daily_use: money,
        available: money,
        exhaustion_date: z.nullable(z.iso.date()),
        policy_timeline: z.array(policyStep),
      }),
    }),
  },
})
