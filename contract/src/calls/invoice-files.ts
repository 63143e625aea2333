import * as z from 'zod/mini'
import { day, idParameter } from '../fields.ts'
import { invoiceKind, mostInArchive } from '../resources/invoices.ts'

/** An account by its id, or by its id in the text of a form. */
const client_id = z.optional(z.union([z.int().check(z.positive()), idParameter]))
const format = z.optional(z.enum(['pdf', 'xml']))

/**
 * Documents of a period in local days of the operator, which may be a day ahead of UTC. Without `to` the
 * period ends with the newest document; without `kinds` it includes every kind.
 */
export const archiveRequest = z.object({
  client_id,
  from: day,
  to: z.optional(day),
  kinds: z.optional(z.array(invoiceKind).check(z.minLength(1))),
  format,
})

/** Documents by their ids; those of another account, and those without a file, are left out. */
export const archiveSelection = z.object({
  client_id,
  ids: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(mostInArchive)),
  format,
})

/** The body of a request for an archive. */
export const archiveBody = z.union([archiveRequest, archiveSelection])
