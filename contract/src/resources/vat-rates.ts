import * as z from 'zod/mini'
import { countryCode, day, integerId, line, moneyInput, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { taxGaps } from '../rules/tax/tax-gaps.ts'

/** In percent, with at most two decimals. */
const rate = moneyInput({ least: 0, most: 50 })

/** EN 16931 knows no standard rate of zero (BR-S-05): no invoice with it could be sent. */
const standardRate = moneyInput({ least: 0.01, most: 50 })

export const vatRates = resource('vat-rates', {
  description:
    'The standard rate of VAT of a country, or of a region with a rate of its own, from one day to another, with its reduced rates, which no hosting service has.',
  attributes: {
    /** ISO 3166-1. */
    country: z.string(),
    /** Empty for a whole country. */
    region: z.string(),
    from_day: z.nullable(z.iso.date()),
    /** The last day; null: until further notice. */
    to_day: z.nullable(z.iso.date()),
    /** In percent. */
    rate: z.number(),
    reduced: z.array(z.number()),
    source: z.string(),
    ...stamps,
  },
  filters: { country: countryCode, current: z.enum(['true', 'false']) },
  sorts: ['country', 'from_day'],
  actions: {
    setRate: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: changes the rate of a country from a day on, until the next change that is known, or gives a country its first one. `vat_rate_on_documents` where a document with the tax of the country was issued for that day or a later one. Needs a recent sign-in.',
      input: z.strictObject({
        country: countryCode,
        region: z.optional(z.string().check(z.regex(/^[a-z]{0,20}$/))),
        from: day,
        rate: standardRate,
        reduced: z.optional(z.array(rate).check(z.maxLength(5))),
        source: line(200, { required: fault('source_required') }),
      }),
      output: z.object({ id: integerId }),
    }),
    taxGaps: action({
      method: 'GET',
      on: 'type',
      description:
        'What the tax rules do not support for the operator’s country and registrations. `stops`: such sales are refused; the others are taxed as `means` says, which may not be all of the law.',
      input: noInput,
      output: z.object({
        /** Null while there is no operator. */
        country: z.nullable(z.string()),
        gaps: z.array(z.object({ code: z.enum(taxGaps), stops: z.boolean() })),
      }),
    }),
  },
})
