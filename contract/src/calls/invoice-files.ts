import * as z from 'zod/mini'
import { day, idParameter } from '../fields.ts'
import { invoiceKind } from '../resources/invoices.ts'

/** Under /api/v1: the files of documents, as they were made once. 409 `not_ready` until then. */
export const invoiceFileLocation = {
  /** GET; a PDF. */
  download: '/invoices/:id/-actions/download',
  /** GET; an electronic invoice by EN 16931, in UBL. */
  xml: '/invoices/:id/-actions/xml',
  /** POST with an `archiveRequest`; a ZIP of at most 200 files, which begins to arrive at once. */
  archive: '/invoices/-actions/downloadArchive',
} as const

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
