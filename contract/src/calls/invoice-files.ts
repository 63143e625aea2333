import * as z from 'zod/mini'
import { day, idParameter } from '../fields.ts'
import { invoiceKind } from '../resources/invoices.ts'

/**
 * Documents of a period in local days of the operator, which may be a day ahead of UTC. Without `to` the
 * period ends with the newest document; without `kinds` it includes every kind.
 */
export const archiveRequest = z.object({
  client_id: z.optional(z.union([z.int().check(z.positive()), idParameter])),
  from: day,
  to: z.optional(day),
  kinds: z.optional(z.array(invoiceKind).check(z.minLength(1))),
  format: z.optional(z.enum(['pdf', 'xml'])),
})
