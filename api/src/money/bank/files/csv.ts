import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { statementColumns } from '@portico/contract/resources/bank-statements.ts'
import type Big from 'big.js'
import { CsvError, parse } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import type * as z from 'zod/mini'
import { refuse } from '#platform/errors/problem.ts'
import {
  assertOwn,
  calendarDay,
  cleanIban,
  cleanName,
  cleanReference,
  cleanText,
  exactAmount,
  invalidLine,
  readingOf,
  type Statement,
  type StatementLine,
} from './statement.ts'

export type Columns = z.output<typeof statementColumns>

type Row = { readonly record: Readonly<Record<string, string>>; readonly info: { readonly lines: number } }

const delimiters = [';', ',', '\t', '|']
const mostHeadings = 60
const longestHeadings = 8192
const chunk = 65_536

/** The delimiter that is most frequent in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (one: string) => first.split(one).length
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best))
}

// The headings are read as the rows are: by another reading of quotes, a column would be looked for that no row has.
const layoutOf = (text: string) =>
  ({ delimiter: delimiterOf(text), trim: true, skip_empty_lines: true, max_record_size: 65_536 }) as const

/** What the parser says of a text that is no table, with its line. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const line = typeof error.lines === 'number' ? error.lines : 1
  return refuse('statement_unreadable', { line, what: error.code }, { cause: error })
}

/** The first row of a text. Throws `statement_unreadable`. */
function firstRow(text: string): string[] {
  try {
    const [row = []] = parseNow(text.slice(0, longestHeadings), { ...layoutOf(text), to: 1 })
    return row
  } catch (error) {
    throw unreadable(error)
  }
}

/** The headings of a file. Throws `statement_format_unknown` for a text that is no table, and `statement_unreadable`. */
export function headingsOf(text: string): string[] {
  const [first = ''] = text.split(/\r?\n/, 1)
  if (first.length > longestHeadings) throw refuse('statement_format_unknown')
  const headings = firstRow(text).map((heading) => heading.trim())
  if (headings.length < 2 || headings.length > mostHeadings) throw refuse('statement_format_unknown')
  return headings
}

const dayParts = {
  'YYYY-MM-DD': /^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})$/,
  'DD.MM.YYYY': /^(?<d>\d{1,2})[-/.](?<m>\d{1,2})[-/.](?<y>\d{4})$/,
  'MM/DD/YYYY': /^(?<m>\d{1,2})[-/.](?<d>\d{1,2})[-/.](?<y>\d{4})$/,
} as const

function dayOf(text: string, { day_format }: Columns): string | undefined {
  const { y, m, d } = dayParts[day_format].exec(text.trim().split(/[ T]/)[0] ?? '')?.groups ?? {}
  return y && m && d ? calendarDay(`${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`) : undefined
}

// Thousands are three digits: with the wrong decimal mark chosen, 1.50 would otherwise be a hundred and fifty.
const wholeAmounts = {
  ',': /^[+-]?(\d+|\d{1,3}([.\s’']\d{3})+)(,\d*)?$/,
  '.': /^[+-]?(\d+|\d{1,3}([,\s’']\d{3})+)(\.\d*)?$/,
} as const

/** Incoming money; undefined for what went out. Throws `statement_line_invalid`. */
function amountOf(text: string, { decimal }: Columns, line: number): Big | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!wholeAmounts[decimal].test(typed)) throw invalidLine(line, 'amount')
  if (typed.startsWith('-')) return undefined
  const thousands = decimal === ',' ? /[.\s’']/g : /[,\s’']/g
  const amount = exactAmount(
    typed
      .replaceAll(thousands, '')
      .replace(decimal, '.')
      .replace(/^\+|\.$/g, ''),
  )
  if (amount === undefined) throw invalidLine(line, 'amount')
  return amount.eq(0) ? undefined : amount
}

// The headings of a column of currencies, as banks here write them.
const currencyHeading =
  /^(currency|ccy|moned[aă]|valut[aă]|w[aä]hrung|waehrung|devise|divisa|pénznem|waluta)$/i

/** Throws `statement_line_invalid` for a line that names another currency: the columns may be those of another account. */
function assertCurrency({ record, info }: Row, { currency }: Columns): void {
  for (const [heading, value] of Object.entries(record))
    if (currencyHeading.test(heading) && /^[A-Z]{3}$/.test(value) && value !== currency)
      throw invalidLine(info.lines, 'currency')
}

function lineOf(row: Row, columns: Columns, own: string): StatementLine | undefined {
  const { record, info } = row
  const of = (name: string | undefined) => (name === undefined ? undefined : record[name])
  const account = of(columns.account)
  if (account !== undefined) assertOwn(cleanIban(account), own)
  const amount = amountOf(of(columns.amount) ?? '', columns, info.lines)
  if (amount === undefined) return undefined
  assertCurrency(row, columns)
  const day = dayOf(of(columns.day) ?? '', columns)
  if (day === undefined) throw invalidLine(info.lines, 'day')
  return {
    at: info.lines,
    day,
    amount: amount.toFixed(2),
    currency: columns.currency,
    payer: cleanName(of(columns.payer)),
    payerIban: cleanIban(of(columns.payer_iban)),
    text: cleanText(of(columns.text) ?? ''),
    reference: cleanReference(of(columns.reference)),
    isReversal: false,
    part: 0,
    batch: null,
  }
}

/** Throws `statement_column_missing` for a column that the file does not have, `statement_column_twice` for one of two. */
function assertColumns(
  { day, amount, payer, payer_iban, text, reference, account }: Columns,
  headings: string[],
) {
  for (const name of [day, amount, payer, payer_iban, text, reference, account])
    if (name !== undefined) {
      if (!headings.includes(name)) throw refuse('statement_column_missing', { name })
      if (headings.indexOf(name) !== headings.lastIndexOf(name))
        throw refuse('statement_column_twice', { name })
    }
}

/** The text bit by bit: other requests are answered meanwhile. */
async function* piecesOf(text: string) {
  for (let at = 0; at < text.length; at += chunk) {
    yield text.slice(at, at + chunk)
    await setImmediate()
  }
}

/**
 * Reads the incoming money of a bank's CSV. Throws `statement_column_…`, `statement_unreadable`,
 * `statement_line_invalid`, `statement_other_account`.
 */
export async function readCsv(text: string, columns: Columns, own: string): Promise<Statement> {
  assertColumns(columns, headingsOf(text))
  const lines: StatementLine[] = []
  const parser = parse({
    ...layoutOf(text),
    columns: (headings: string[]) => headings.map((heading) => heading.trim()),
    info: true,
  })
  const rows: AsyncIterable<Row> = Readable.from(piecesOf(text)).compose(parser)
  try {
    for await (const row of rows) {
      const line = lineOf(row, columns, own)
      if (line) lines.push(line)
    }
  } catch (error) {
    throw unreadable(error)
  }
  const { day, amount, payer, payer_iban, text: words, reference, currency, day_format, decimal } = columns
  const said = [day, amount, payer, payer_iban, words, reference, currency, day_format, decimal]
  return {
    format: 'csv',
    reading: readingOf('csv', said),
    iban: own,
    parts: [{ opening: null, closing: null }],
    lines,
  }
}
