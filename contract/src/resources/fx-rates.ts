import * as z from 'zod/mini'
import { day, integerId, line, moment, noInput } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const currencyCode = z.string().check(z.regex(/^[A-Z]{3}$/))

/** At most six decimals, above zero; text, so that it is kept as it was written. */
const rate = z.string().check(z.regex(/^(?=.*[1-9])\d{1,8}(?:\.\d{1,6})?$/, fault('value_invalid')))

export const fxRates = resource('fx-rates', {
  description:
    'A published exchange rate: how much of the operator’s currency one of another is. It counts for documents from the day after, for ten days at most.',
  attributes: {
    base: z.string(),
    quote: z.string(),
    published_on: z.iso.date(),
    rate: z.string(),
    /** `bnr` and `ecb` publish rates; others were entered by staff, who say where they have them from. */
    source: z.string(),
    fetched_at: moment,
  },
  filters: { base: currencyCode },
  sorts: ['published_on', 'base'],
  actions: {
    needs: action({
      method: 'GET',
      on: 'type',
      description:
        'The currencies in which something is sold and that need a rate, with the newest one. `counts`: documents can be issued today.',
      input: noInput,
      output: z.object({
        needs: z.array(
          z.object({
            base: z.string(),
            quote: z.string(),
            newest: z.nullable(z.iso.date()),
            rate: z.nullable(z.string()),
            counts: z.boolean(),
            /** A client has an account in it, or an offered plan has a price in it. */
            used: z.boolean(),
            /** The codes of the price lists in this currency, because of which a rate is needed. */
            price_lists: z.array(z.string()),
          }),
        ),
        /** The fetch that waits or runs; one that failed is tried again at `again_at`. Null: none waits. */
        fetch: z.nullable(z.object({ problem: z.nullable(z.string()), again_at: moment })),
      }),
    }),
    fetchRates: action({
      method: 'POST',
      on: 'type',
      description: 'Queues a fetch of the rates that were published in the last ten days.',
      input: noInput,
      output: z.object({ queued: z.literal(true) }),
    }),
    addRate: action({
      method: 'POST',
      on: 'type',
      description:
        'Enters a rate by hand, or replaces one that was entered for that day. `exchange_rate_published` where that day has a fetched one; `exchange_rate_stated` where an issued document has it; `exchange_rate_unconfirmed` where it differs by more than a fifth from the one before, until `confirmed`. Needs a recent sign-in.',
      input: z.strictObject({
        base: currencyCode,
        published_on: day,
        rate,
        source: line(200, { required: fault('value_required') }),
        confirmed: z.optional(z.boolean()),
      }),
      output: z.object({ id: integerId }),
    }),
  },
})
