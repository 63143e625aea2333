import Big from 'big.js'
import {
  calendarDay,
  cleanIban,
  cleanName,
  cleanReference,
  cleanText,
  exactAmount,
  invalidLine,
  type StatementLine,
} from './statement.ts'

/** The values of an element and of what is in it, by their paths. */
export class Fields {
  readonly at: number
  readonly details: Fields[] = []
  readonly #depth: number
  readonly #values = new Map<string, string[]>()

  constructor(at: number, depth: number) {
    this.at = at
    this.#depth = depth
  }

  add(path: readonly string[], value: string): void {
    const name = path.slice(this.#depth).join('/')
    const known = this.#values.get(name)
    if (known) known.push(value)
    else this.#values.set(name, [value])
  }

  /** The first value of the first path that has one. */
  first(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#values.get(name)?.[0]
      if (value !== undefined) return value
    }
    return undefined
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
}

/** An amount of an entry or a balance, negative for a debit. */
export function signed(fields: Fields): Big {
  const amount = exactAmount(fields.first('Amt') ?? '')
  if (amount === undefined) throw invalidLine(fields.at, 'amount')
  const direction = fields.first('CdtDbtInd')
  if (direction !== 'CRDT' && direction !== 'DBIT') throw invalidLine(fields.at, 'direction')
  return direction === 'DBIT' ? amount.neg() : amount
}

/** What an entry says of all its payments. It may be as long as the file, so that it is read once and not for each of them. */
export const sharedText = (entry: Fields): string => cleanText(entry.first('AddtlNtryInf') ?? '')

/** The purpose of a payment, with the reference that the payer was asked to quote. */
function textOf(detail: Fields | undefined, shared: string): string {
  const words = detail ? [...detail.all('RmtInf/Ustrd'), ...detail.all('RmtInf/Strd/CdtrRefInf/Ref')] : []
  const endToEnd = cleanReference(detail?.first('Refs/EndToEndId'))
  const more = detail?.first('AddtlTxInf') ?? shared
  return cleanText([...words, endToEnd ?? '', words.length === 0 ? more : ''].join(' '))
}

type Payment = Pick<StatementLine, 'reference' | 'batch'> & {
  readonly detail: Fields | undefined
  readonly amount: Big
}

/** Where an entry stands: the text that all its payments share, the part of the file, and which entry of the file it is. */
export type Place = { readonly shared: string; readonly part: number; readonly entry: number }

function lineOf(entry: Fields, place: Place, { detail, amount, reference, batch }: Payment): StatementLine {
  const day = calendarDay((entry.first('BookgDt/Dt', 'BookgDt/DtTm') ?? '').slice(0, 10))
  if (day === undefined) throw invalidLine(entry.at, 'day')
  const currency = entry.first('Amt/@Ccy')
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) throw invalidLine(entry.at, 'currency')
  return {
    at: detail?.at ?? entry.at,
    day,
    amount: amount.toFixed(2),
    currency,
    payer: cleanName(detail?.first('RltdPties/Dbtr/Nm', 'RltdPties/Dbtr/Pty/Nm')),
    payerIban: cleanIban(detail?.first('RltdPties/DbtrAcct/Id/IBAN')),
    text: textOf(detail, place.shared),
    reference,
    isReversal: entry.first('RvslInd') === 'true',
    part: place.part,
    batch,
  }
}

/** The amounts of the payments of a batch; undefined unless they are the entry's own sum and currency. */
function batchAmounts(entry: Fields, total: Big): Big[] | undefined {
  if (entry.details.length < 2) return undefined
  const own = entry.first('Amt/@Ccy')
  const amounts = entry.details.flatMap((detail) => {
    const currency = detail.first('Amt/@Ccy', 'AmtDtls/TxAmt/Amt/@Ccy')
    const amount = exactAmount(detail.first('Amt', 'AmtDtls/TxAmt/Amt') ?? '')
    return amount?.gt(0) && currency === own ? [amount] : []
  })
  const sum = amounts.reduce((all, one) => all.plus(one), new Big(0))
  return amounts.length === entry.details.length && sum.eq(total) ? amounts : undefined
}

/** The movement of a booked entry with its shared text, and its lines when money came in: one for each payment of a batch. */
export function entryLines(entry: Fields, place: Place): { moved: Big; lines: StatementLine[] } {
  if (entry.first('Sts', 'Sts/Cd') !== 'BOOK') return { moved: new Big(0), lines: [] }
  const moved = signed(entry)
  if (moved.lte(0)) return { moved, lines: [] }
  const amounts = batchAmounts(entry, moved)
  if (amounts) {
    // The reference of the entry is that of the whole batch.
    const batch = { reference: cleanReference(entry.first('AcctSvcrRef')), entry: place.entry }
    const lines = entry.details.map((detail, at) => {
      const reference = cleanReference(detail.first('Refs/AcctSvcrRef'))
      return lineOf(entry, place, { detail, amount: amounts[at] ?? moved, reference, batch })
    })
    return { moved, lines }
  }
  const [detail] = entry.details
  const reference = cleanReference(entry.first('AcctSvcrRef') ?? detail?.first('Refs/AcctSvcrRef'))
  return { moved, lines: [lineOf(entry, place, { detail, amount: moved, reference, batch: null })] }
}
