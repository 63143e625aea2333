import * as z from 'zod/mini'
import { integerId, line, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { statementLimits } from '../rules/money/bank-statements.ts'

export const statementFormat = z.enum(['camt053', 'mt940', 'csv'])

const column = line(100)

/** The columns of a bank's CSV, by their headings. It is kept for files with the same headings. */
export const statementColumns = z.strictObject({
  day: column,
  /** With VAT; empty or negative for money that went out. */
  amount: column,
  payer: z.optional(column),
  payer_iban: z.optional(column),
  text: z.optional(column),
  /** The bank’s own reference of the line. */
  reference: z.optional(column),
  /** The IBAN of the operator’s account. */
  account: z.optional(column),
  /** ISO 4217, where the file has no column of currencies. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  day_format: z.enum(['YYYY-MM-DD', 'DD.MM.YYYY', 'MM/DD/YYYY']),
  decimal: z.enum([',', '.']),
})

export const bankStatements = resource('bank-statements', {
  description: 'An imported statement of the operator’s bank account.',
  attributes: {
    filename: z.string(),
    format: statementFormat,
    iban: z.string(),
    currency: z.string(),
    from_day: z.nullable(z.iso.date()),
    to_day: z.nullable(z.iso.date()),
    /** Incoming money in the file; `imported`: what earlier statements did not have, and what was not taken back. */
    lines: z.int(),
    imported: z.int(),
    /** The sum of the imported lines. */
    total: money,
    /** Imported lines that wait for a decision. */
    open_lines: z.int(),
    /** Lines that taking it back takes. */
    left_lines: z.int(),
    /** Lines that may be money of earlier statements, about which nobody decided yet. */
    doubtful_lines: z.int(),
    /** Imported lines whose client is known; they stay when the import is taken back. */
    matched_lines: z.int(),
    taken_back_at: z.nullable(moment),
    imported_by: z.string(),
    ...stamps,
  },
  sorts: ['createdAt'],
  actions: {
    importStatement: action({
      method: 'POST',
      on: 'type',
      mostBytes: statementLimits.body,
      description:
        'Imports the incoming money of a statement in CAMT.053, MT940 or CSV, all or nothing, and proposes whose it is. Lines of earlier statements are not imported again, one that may be such a line is `doubtful` until a person decides, and the same file adds only what is not there any more. A refusal (`statement_…`) names the line and what is wrong with it. `statement_columns_needed` for a CSV whose headings the caller has not explained before, which are in `meta.columns`, or with `ask_columns`: send it again with `columns`. `bank_statement_imported` with `ask_columns` for a file whose import was not taken back.',
      input: z.strictObject({
        filename: line(200, { required: fault('name_required') }),
        /** The bytes of the file, at most 10 MB, in Base64. */
        content: z.string(),
        columns: z.optional(statementColumns),
        /** Asks for the columns of a CSV once more, though the caller has explained its headings. */
        ask_columns: z.optional(z.boolean()),
      }),
      output: z.object({
        statement_id: integerId,
        /** Whether the file was imported before. */
        repeated: z.boolean(),
        /** Whether it was read in another way then, and would have lines now that are not added: that import is taken back first. */
        read_otherwise: z.boolean(),
        lines: z.int(),
        imported: z.int(),
        /** Lines that may be money of earlier statements: a person decides. */
        doubtful: z.int(),
      }),
    }),
    takeBack: action({
      method: 'POST',
      on: 'one',
      description:
        'Takes an import back, such as one whose columns were named wrongly: its lines are `taken_back`, their money leaves the suspense account, and its file can be imported again. Matched lines stay (`stayed`); those that are undone later are taken back by another call. `bank_statement_matched` where every line is matched, `bank_statement_taken_back` where it was taken back before and nothing is left but matched lines. For lines that were ignored or returned the caller has the limits of their own imports from then on, also after they were imported again. Lines of later files that had the same money are doubtful again where those said it in other words; where word by word, the later file is imported again. Needs a recent sign-in.',
      input: noInput,
      output: z.object({
        /** How many were taken back, and how many are matched and stay. */
        lines: z.int(),
        stayed: z.int(),
      }),
    }),
    sameAll: action({
      method: 'POST',
      on: 'one',
      description:
        'Says that every doubtful line of the import is the money of the first of its `other_lines`, except where that one was taken back. `bank_statement_not_doubtful` where there is none.',
      input: noInput,
      output: z.object({ lines: z.int() }),
    }),
  },
})
