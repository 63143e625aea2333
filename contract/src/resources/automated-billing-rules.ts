import * as z from 'zod/mini'
import { accountMoney, idParameter, integerId, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'

/** `paused_declined`: every attempt was declined; `needs_action`: the bank asks the person to confirm. */
export const ruleStatus = z.enum(['off', 'active', 'paused_declined', 'needs_action'])

const state = z.object({ id: integerId, enabled: z.boolean(), status: ruleStatus })

export const automatedBillingRules = resource('automated-billing-rules', {
  description:
    'The rule by which the portal charges a card automatically. Amounts are in the account’s currency, within its `amounts` in billing-profiles, and without VAT, which is added on top. One for each account.',
  attributes: {
    /** The owner; by default the reader. */
    client_id: z.optional(integerId),
    enabled: z.boolean(),
    /** A charge is made when the available amount falls below this. */
    threshold_amount: accountMoney,
    /** Charged as many times as needed to reach the threshold again. */
    recharge_amount: accountMoney,
    /** The maximum per calendar month; null: no limit. */
    monthly_cap: z.nullable(accountMoney),
    /** The amount charged in the current month, which counts towards the cap. */
    charged_this_month: money,
    /** The minimum minutes between two charges. */
    cooldown_minutes: z._default(z.int().check(z.gte(0), z.lte(10_080)), 60),
    status: ruleStatus,
    /** The consecutive declines, and the next attempt. */
    failures: z.int(),
    next_try_at: z.nullable(moment),
    consent_at: z.nullable(moment),
    /**
     * The latest decisions, newest first, including why nothing was charged; a repeated one only increases
     * its count.
     */
    decisions: z.array(
      z.object({
        at: moment,
        last_at: moment,
        times: z.int(),
        outcome: z.enum(['charged', 'not_charged', 'declined', 'needs_action', 'succeeded', 'paused']),
        reason: z.string(),
        available: z.nullable(money),
        amount: z.nullable(money),
        transaction_id: z.nullable(integerId),
      }),
    ),
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    card: toOne('cards', { nullable: true }),
    fallbackCard: toOne('cards', { nullable: true }),
  },
  create: [
    'client_id',
    'threshold_amount',
    'recharge_amount',
    'monthly_cap',
    'cooldown_minutes',
    'card',
    'fallbackCard',
  ],
  update: ['threshold_amount', 'recharge_amount', 'monthly_cap', 'cooldown_minutes', 'card', 'fallbackCard'],
  filters: { client_id: idParameter },
  actions: {
    enable: action({
      method: 'POST',
      on: 'one',
      description:
        'Allows the portal to charge from now on. `consent` is the text that the person agreed to; it is kept with the time and the address. `no_card` without a card that can be charged.',
      input: z.strictObject({ consent: z.string().check(z.trim(), z.minLength(20), z.maxLength(4000)) }),
      output: state,
    }),
    disable: action({
      method: 'POST',
      on: 'one',
      description: 'Stops automatic charges.',
      input: noInput,
      output: state,
    }),
    retryNow: action({
      method: 'POST',
      on: 'one',
      description:
        'Retries at once after a decline, with the card as it is now. `automatic_off` while it is off.',
      input: noInput,
      output: state,
    }),
  },
})
