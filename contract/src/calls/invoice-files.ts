import * as z from 'zod/mini'
import { day, idParameter } from '../fields.ts'
import { invoiceKind } from '../resources/invoices.ts'

/**
 * Documents of a period (local days of the operator, which may be a day ahead of UTC): until the newest when `to` is left out,
 * and of every kind when `kinds` is.
 */
export const archiveRequest = z.object({
  client_id: z.optional(z.union([z.int().check(z.positive()), idParameter])),
  from: day,
  to: z.optional(day),
  kinds: z.optional(z.array(invoiceKind).check(z.minLength(1))),
  format: z.optional(z.enum(['pdf', 'xml'])),
})
