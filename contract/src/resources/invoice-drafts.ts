import * as z from 'zod/mini'
import { idParameter, integerId, leastMoney, line, money, moneyInput, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { vatTreatments } from '../rules/vat.ts'

/** A line of an invoice; the Romanian text is the English one where it is missing. */
const soldLine = z.strictObject({
  description_en: line(200, { required: fault('description_required') }),
  description_ro: z.optional(line(200)),
  quantity: z.int().check(z.positive(), z.lte(1_000_000)),
  unit_price: moneyInput({ least: leastMoney, most: 1_000_000 }),
})

/** The lines of an invoice for something other than usage. */
export const soldLines = z.array(soldLine).check(z.minLength(1), z.maxLength(50))

export const invoiceDrafts = resource('invoice-drafts', {
  description:
    'An invoice that staff prepare: it has no number and no effect, and the client does not see it. `manualInvoice` of `desk-clients` with its `draft_id` issues it, and ends the draft.',
  attributes: {
    client_id: integerId,
    /** The member of staff who began it. */
    author_name: z.string(),
    lines: soldLines,
    /** The sum of its lines, without VAT. */
    net: money,
    currency: z.string(),
    ...stamps,
  },
  relationships: { client: toOne('desk-clients') },
  create: ['lines', 'client'],
  update: ['lines'],
  delete: true,
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
  actions: {
    previewInvoice: action({
      method: 'GET',
      on: 'one',
      description:
        'What the invoice would be if it were issued now. `billing_info_incomplete` and `documents_need_…` as for issuing.',
      input: noInput,
      output: z.object({
        net: money,
        vat: money,
        total: money,
        currency: z.string(),
        vat_treatment: z.enum(vatTreatments),
        vat_rate: z.number(),
      }),
    }),
  },
})
