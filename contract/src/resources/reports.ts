import * as z from 'zod/mini'
import { day, moment } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { reportKinds } from '../rules/money/reports.ts'

/** The most rows of a report; its file has all. */
export const mostReportRows = 200

export const reportKind = z.enum(reportKinds)

const rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))

export const reports = resource('reports', {
  description:
    'A report of the desk: revenue, recurring fees, cash, debts, advances, and what the documents say. `accounting-exports` has each as a file.',
  attributes: {
    kind: reportKind,
    /** When the newest figures by day were computed; null before the first time. */
    made_at: z.nullable(moment),
    /** Days whose figures are still to be computed. */
    days_missing: z.int(),
  },
  actions: {
    figures: action({
      method: 'GET',
      on: 'one',
      description: `The figures of a period in one currency: the first ${mostReportRows} rows, exact, the sums of all, rounded, and their number. Figures by day are those of \`made_at\`; debts and top clients are of now. \`export_period_reversed\` and \`export_period_most\` as for the files.`,
      input: z.strictObject({
        from: day,
        to: day,
        /** Otherwise that of most clients. */
        currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
      }),
      output: z.object({
        currencies: z.array(z.string()),
        currency: z.nullable(z.string()),
        rows,
        sums: rows,
        count: z.int(),
      }),
    }),
  },
})
