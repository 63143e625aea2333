import { statementLimits } from '@portico/contract/rules/money/bank-statements.ts'
import Big from 'big.js'
import { Parser } from 'mt940js'
import { refuse } from '#platform/errors/problem.ts'
import {
  assertBalanced,
  assertOwn,
  calendarDay,
  cleanIban,
  cleanName,
  cleanReference,
  cleanText,
  copyKey,
  exactAmount,
  invalidLine,
  type Part,
  readingOf,
  type Statement,
  type StatementLine,
} from './statement.ts'

const field61 = /^(\d{2})(\d{2})(\d{2})(\d{4})?(R?[DC])([A-Z])?(\d{1,12},\d{0,2})(?=[A-Z])/
const balance = /^([DC])\d{6}([A-Z]{3})(\d{1,12},\d{0,2})$/

const exact = (text: string): Big | undefined => exactAmount(text.replace(',', '.').replace(/\.$/, ''))

/** The numbers of the lines of the file that begin with a field. */
function placesOf(text: string, field: string): number[] {
  return text.split(/\r?\n/).flatMap((line, at) => (line.startsWith(field) ? [at + 1] : []))
}

const missing: Readonly<Record<string, { en: string; ro: string }>> = {
  20: { en: 'reference (:20:)', ro: 'referință (:20:)' },
  25: { en: 'account (:25:)', ro: 'cont (:25:)' },
  28: { en: 'number (:28C:)', ro: 'număr (:28C:)' },
  60: { en: 'opening balance (:60F:)', ro: 'sold inițial (:60F:)' },
  62: { en: 'closing balance (:62F:)', ro: 'sold final (:62F:)' },
}

/** The amount of the nth balance of a file, as text and without the library, which has refused it. */
function nthBalance(text: string, field: '60' | '62', n: number): Big {
  const [, mark, amount = ''] =
    [...text.matchAll(new RegExp(`^:${field}[FM]:([DC])\\d{6}[A-Z]{3}([\\d,]+)`, 'gm'))][n] ?? []
  const value = exact(amount) ?? new Big(0)
  return mark === 'D' ? value.neg() : value
}

/** The refusal for what the library says of a file; it names no line. */
function refusalOf(error: unknown, text: string) {
  const said = error instanceof Error ? error.message : ''
  const [, moved, group] = /^Sum of lines \((\S+)\) != turnover \(\S+\) in group (\d+)/.exec(said) ?? []
  if (moved !== undefined) {
    const opening = nthBalance(text, '60', Number(group) - 1)
    const closing = nthBalance(text, '62', Number(group) - 1)
    const sum = opening.plus(moved)
    return refuse('statement_balance_differs', {
      opening: opening.toFixed(2),
      sum: sum.toFixed(2),
      closing: closing.toFixed(2),
    })
  }
  const [, tag] = /^Mandatory tag (\w+) is missing/.exec(said) ?? []
  const what = tag === undefined ? undefined : missing[tag]
  if (what) return refuse('statement_incomplete', { what }, { cause: error })
  const [, content = ''] = /^Cannot parse tag \w+: ([^\n]*)/.exec(said) ?? []
  const [, unknown = ''] = /^Unknown tag (\w+)/.exec(said) ?? []
  const wanted = content || `:${unknown}:`
  const line = text.split(/\r?\n/).findIndex((one) => one.includes(wanted)) + 1
  return refuse(
    'statement_unreadable',
    { line, what: { en: said.slice(0, 60), ro: `câmp greșit sau necunoscut: ${wanted.slice(0, 40)}` } },
    { cause: error },
  )
}

/** The account of `:25:`, of which banks write the IBAN with or without a BIC before it or a currency after it. */
function accountOf(text: string): string | null {
  const part = text.split('/').at(-1) ?? ''
  return cleanIban(part.replace(/(?<=\d{10})[A-Z]{3}$/, '')) ?? cleanIban(part)
}

type Parsed = ReturnType<Parser['parse']>[number]
type Transaction = Parsed['transactions'][number]

/** The fields of `:86:`, by the codes of German banks or the words of SWIFT; without either it is all text. */
function detailsOf({ details, structuredDetails: parts }: Transaction) {
  if (!parts) return { payer: undefined, iban: undefined, text: details.replaceAll('\n', ' ') }
  const purpose = Object.keys(parts)
    .filter((code) => /^(2\d|6[0-3]|REMI|EREF)$/.test(code))
    .map((code) => parts[code] ?? '')
  return {
    payer: parts.NAME ?? `${parts['32'] ?? ''}${parts['33'] ?? ''}`,
    iban: parts.IBAN ?? parts['38'] ?? parts['31'],
    text: purpose.join(''),
  }
}

/** The day of booking, which states no year, next to the value date; some banks state only that. */
function bookedOn(valued: string, entry: string | undefined): string | undefined {
  if (entry === undefined) return calendarDay(valued)
  const [year, month] = [Number(valued.slice(0, 4)), valued.slice(5, 7)]
  const booked = entry.slice(0, 2)
  const later = month === '12' && booked === '01' ? 1 : 0
  const earlier = month === '01' && booked === '12' ? 1 : 0
  return calendarDay(`${year + later - earlier}-${booked}-${entry.slice(2)}`)
}

/** The amounts of the fields `:61:` and of the balances as texts: the library has them as floats. */
function amountsOf({ tags }: Parsed, at: readonly number[]) {
  const rows = (tags ?? []).filter(({ id }) => id === 61)
  return rows.map(({ data }, n) => {
    const [, year, month, day, entry, mark = '', , text = ''] = field61.exec(data) ?? []
    const line = at[n] ?? 0
    const amount = exact(text)
    if (amount === undefined) throw invalidLine(line, 'amount')
    const booked = bookedOn(`20${year}-${month}-${day}`, entry)
    if (booked === undefined) throw invalidLine(line, 'day')
    // A reversal of a debit is money that came back; one of a credit is money that was taken back.
    const isIn = mark === 'C' || mark === 'RD'
    return { line, amount, booked, isIn, isReversal: mark.length === 2 }
  })
}

function balanceOf({ tags }: Parsed, id: number): Big {
  const data = tags?.find((tag) => tag.id === id)?.data ?? ''
  const [, mark, , text = ''] = balance.exec(data.trim()) ?? []
  const amount = exact(text)
  if (amount === undefined) throw refuse('statement_incomplete', { what: missing[id] ?? data })
  return mark === 'D' ? amount.neg() : amount
}

function linesOf(parsed: Parsed, places: readonly number[], part: number) {
  const amounts = amountsOf(parsed, places)
  const moved = amounts.reduce(
    (sum, { amount, isIn }) => (isIn ? sum.plus(amount) : sum.minus(amount)),
    new Big(0),
  )
  const [opening, closing] = [balanceOf(parsed, 60), balanceOf(parsed, 62)]
  assertBalanced({ opening, closing, moved })
  const lines = parsed.transactions.flatMap((transaction, n): StatementLine[] => {
    const row = amounts[n]
    if (!row?.isIn || row.amount.eq(0)) return []
    const { payer, iban, text } = detailsOf(transaction)
    return [
      {
        at: row.line,
        day: row.booked,
        amount: row.amount.toFixed(2),
        currency: parsed.currency,
        payer: cleanName(payer),
        payerIban: cleanIban(iban),
        text: cleanText(text),
        reference: cleanReference(transaction.bankReference),
        isReversal: row.isReversal,
        part,
        batch: null,
      },
    ]
  })
  return { lines, balances: { opening: opening.toFixed(2), closing: closing.toFixed(2) } }
}

/** Throws `statement_too_large`. */
function assertLines(text: string): void {
  if (text.split('\n', statementLimits.mt940Lines + 1).length > statementLimits.mt940Lines)
    throw refuse('statement_too_large', { most: { en: '100,000 lines', ro: '100.000 de rânduri' } })
}

/**
 * Reads the incoming money of our account. Throws `statement_too_large`, `statement_incomplete`, `statement_unreadable`,
 * `statement_line_invalid`, `statement_balance_differs`, `statement_other_account`.
 */
export function readMt940(text: string, own: string): Statement {
  assertLines(text)
  let parsed: Parsed[]
  try {
    parsed = new Parser().parse(text, true)
  } catch (error) {
    throw refusalOf(error, text)
  }
  if (parsed.length === 0) throw refuse('statement_format_unknown')
  const accounts = parsed.map(({ accountIdentification }) => accountOf(accountIdentification))
  if (!accounts.includes(own)) assertOwn(accounts[0] ?? null, own)
  const places = placesOf(text, ':61:')
  const [parts, lines, copies]: [Part[], StatementLine[], Set<string>] = [[], [], new Set()]
  for (const [at, one] of parsed.entries()) {
    const read = linesOf(one, places.splice(0, one.transactions.length), parts.length)
    const { statement, sequence } = one.number
    const key = copyKey(`${statement}/${sequence}`, read.balances, read.lines)
    if (accounts[at] !== own || (key !== undefined && copies.has(key))) continue
    if (key !== undefined) copies.add(key)
    parts.push(read.balances)
    for (const line of read.lines) lines.push(line)
  }
  return { format: 'mt940', reading: readingOf('mt940'), iban: own, parts, lines }
}
