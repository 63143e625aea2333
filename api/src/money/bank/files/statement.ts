import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import type { statementFormat } from '@portico/contract/resources/bank-statements.ts'
import { firstDay, lastDay } from '@portico/contract/rules/pickers.ts'
import Big from 'big.js'
import type * as z from 'zod/mini'
import { type Problem, refuse } from '#platform/errors/problem.ts'

/** Incoming money of a statement. */
export type StatementLine = {
  /** The line of the file. */
  readonly at: number
  /** The day on which the bank booked it. */
  readonly day: string
  /** Exact, above zero, with two decimals. */
  readonly amount: string
  readonly currency: string
  readonly payer: string | null
  readonly payerIban: string | null
  readonly text: string
  /** The bank's own reference. */
  readonly reference: string | null
  readonly isReversal: boolean
  /** The part of the file in which it stands, from 0. */
  readonly part: number
  /** The entry of several payments whose payment it is. */
  readonly batch: Batch | null
}

/** An entry of several payments: the bank's reference of all of them, and which entry of the file it is, from 0. */
type Batch = { readonly reference: string | null; readonly entry: number }

/** The balances of a part, such as one of several statements in a file; null where it states none. */
export type Part = { readonly opening: string | null; readonly closing: string | null }

export type Statement = {
  readonly format: z.output<typeof statementFormat>
  /** How it was read. Two readings alike say the same of the same money. */
  readonly reading: string
  readonly iban: string
  readonly parts: readonly Part[]
  readonly lines: readonly StatementLine[]
}

/** To be raised whenever the same file is read as other texts, payers or references than before. */
const readerVersion = 1

/** The name of a reading: the format and the version of the reader, and what a person said of a CSV. */
export const readingOf = (format: Statement['format'], more: readonly unknown[] = []): string =>
  [format, readerVersion, ...(more.length > 0 ? [JSON.stringify(more)] : [])].join(' ')

/** What lines say, without where they stand. */
export const factsOf = (lines: readonly StatementLine[]) =>
  lines.map(({ at: _at, part: _part, batch: _batch, ...fact }) => fact)

/**
 * The same for a part that the file repeats: it has the number of another one, and moves the account between the same two balances.
 * Undefined where that is not known, so that nothing is left out for it.
 */
export function copyKey(
  number: string,
  { opening, closing }: Part,
  lines: readonly StatementLine[],
): string | undefined {
  if (number === '' || opening === null || closing === null || opening === closing) return undefined
  return JSON.stringify([number, opening, closing, factsOf(lines)])
}

/** The names of the parts of a line, for refusals. */
const parts = {
  day: { en: 'the day', ro: 'ziua' },
  amount: { en: 'the amount', ro: 'suma' },
  currency: { en: 'the currency', ro: 'moneda' },
  direction: { en: 'whether the money came in or went out', ro: 'sensul operațiunii (intrare sau ieșire)' },
} as const satisfies Record<string, Parameter>

export const invalidLine = (line: number, part: keyof typeof parts): Problem =>
  refuse('statement_line_invalid', { line, what: parts[part] })

// Control characters, and marks by which a text could look like another one.
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu
const [longestName, longestText] = [140, 1000]

const clean = (text: string, most: number): string =>
  [...text.replaceAll(unseen, ' ').replaceAll(/\s+/g, ' ').trim()].slice(0, most).join('')

export const cleanText = (text: string): string => clean(text, longestText)

export const cleanName = (text: string | undefined): string | null => clean(text ?? '', longestName) || null

/** An account number without its spaces; null when it is none. */
export function cleanIban(text: string | undefined): string | null {
  const bare = (text ?? '').replaceAll(/\s/g, '').toUpperCase()
  return /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(bare) ? bare : null
}

// The bank's words for a reference that it does not have.
const noReference = /^(NONREF|NOTPROVIDED|NOREF|0+|-+)?$/

/** The bank's reference of a line; null where it gave none. */
export function cleanReference(text: string | undefined): string | null {
  const bare = clean(text ?? '', longestName)
  return noReference.test(bare.toUpperCase()) ? null : bare
}

/** An exact amount with two decimals; undefined for a text that is none or has more of them. */
export function exactAmount(text: string): Big | undefined {
  return /^\d{1,12}(\.\d{1,2}0*)?$/.test(text) ? new Big(text) : undefined
}

/** A day of the calendar, in years that the database and the pages have; undefined for a text that is none. */
export function calendarDay(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < firstDay || text > lastDay) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : text
}

type Balance = { readonly opening: Big; readonly closing: Big; readonly moved: Big }

/** Throws `statement_balance_differs` unless the lines explain the balances. */
export function assertBalanced({ opening, closing, moved }: Balance): void {
  const sum = opening.plus(moved)
  if (!sum.eq(closing))
    throw refuse('statement_balance_differs', {
      opening: opening.toFixed(2),
      sum: sum.toFixed(2),
      closing: closing.toFixed(2),
    })
}

/** Throws `statement_other_account` for a statement of another account. */
export function assertOwn(found: string | null, own: string): void {
  if (found !== own) throw refuse('statement_other_account', { found: found ?? '?', own })
}
