import * as z from 'zod/mini'
import { moment, money, noInput } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

export const providerDays = resource('provider-days', {
  description:
    'The account at a payment provider on a day, in one currency: what the provider held, and what it should have held by the ledger and its payouts since the first of these days.',
  attributes: {
    provider: z.string(),
    currency: z.string(),
    day: z.iso.date(),
    /** What the provider paid out to the bank since the day before. */
    paid_out: money,
    /** What the provider said that it held, also what it does not pay out yet. */
    held: money,
    expected: money,
    /** What the provider held beyond that; below zero it held less. */
    difference: money,
    /** By how much the difference is another than on the day before. */
    changed: money,
    /** Open disputes, whose money the provider may hold back already. */
    disputed: money,
    read_at: moment,
  },
  filters: { provider: z.string(), currency: z.string() },
  sorts: ['day'],
  actions: {
    latest: action({
      method: 'GET',
      on: 'type',
      description:
        'The last comparison of each account that the operator has at a provider, with the first day of the present difference; null where there is none.',
      input: noInput,
      output: z.object({
        accounts: z.array(
          z.object({
            provider: z.string(),
            currency: z.string(),
            day: z.iso.date(),
            held: money,
            difference: money,
            disputed: money,
            since: z.nullable(z.iso.date()),
          }),
        ),
      }),
    }),
    compareNow: action({
      method: 'POST',
      on: 'type',
      description: 'Queues the comparison of each night with the payment provider, for now.',
      input: noInput,
      output: z.object({ queued: z.literal(true) }),
    }),
  },
})
