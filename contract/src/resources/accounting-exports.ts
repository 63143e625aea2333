import * as z from 'zod/mini'
import { day, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { accountingExportKinds } from '../rules/money/accounting-exports.ts'

export const accountingExportKind = z.enum(accountingExportKinds)

export const accountingExports = resource('accounting-exports', {
  description:
    'A file for the accounts that staff exported: who, which and of what period. `GET /accounting-exports/{id}/-actions/download` streams it to whoever asked for it, for an hour; later it is `export_ended`, and `export_of_others` for anyone else. `exports_busy` while two others run.',
  attributes: {
    kind: accountingExportKind,
    /** Both days are part of the period: of documents their own day, of payments and the ledger the UTC day. */
    from_day: day,
    /** At most a year after the first; of `saft`, the last day of the same month or quarter. */
    to_day: day,
    exported_by: z.string(),
    ...stamps,
  },
  create: ['kind', 'from_day', 'to_day'],
  filters: { kind: accountingExportKind },
  sorts: ['createdAt'],
})
