import type { bankMatch, matchSign } from '@portico/contract/resources/bank-lines.ts'
import Big from 'big.js'
import type * as z from 'zod/mini'

type Sign = z.output<typeof matchSign>

export type OpenLine = {
  readonly id: number
  readonly amount: string
  readonly currency: string
  readonly payer: string | null
  readonly iban: string | null
  readonly text: string
  readonly reversal: boolean
}

/** A document with what money can still pay of it. */
export type Document = {
  readonly id: number
  readonly client: number
  readonly number: string
  readonly currency: string
  readonly due: string
  /** A part of it was written off, so that a person decides about its money. */
  readonly lost: boolean
  /** It takes no money any more, but the balance of its client does, which is in this currency. */
  readonly former: boolean
}

/** A name or an account, and a client to whom it belongs. */
export type Known = { readonly sign: string; readonly client: number }

export type Candidate = {
  readonly client: number
  readonly invoice: number | null
  readonly signs: readonly Sign[]
}

type Everything = {
  readonly documents: readonly Document[]
  readonly payers: readonly Known[]
  readonly names: readonly Known[]
}

const mostCandidates = 5

// More clients of one name or account say nothing about whose the money is.
const mostKnown = 10

// In the order of what they prove.
const weights: Readonly<Record<Sign, number>> = { number: 8, amount: 4, iban: 2, name: 1 }

const weightOf = ({ signs }: Candidate): number => signs.reduce((sum, sign) => sum + weights[sign], 0)

// People separate the series from the number by a dash, a space or nothing, and leave out zeros.
const quoted = /(?<![\p{L}\p{N}])([A-Z][A-Z0-9]{0,14}?)[\s\-_/.#]{0,3}0{0,9}([1-9]\d{0,11})(?!\d|-\d)/gu

// A series with digits before letters, such as "P2F", of which the pattern above takes "P2" for a number.
const quotedInner =
  /(?<![\p{L}\p{N}])(?=[A-Z]{1,13}\d)([A-Z][A-Z0-9]{1,13}?[A-Z])[\s\-_/.#]{0,3}0{0,9}([1-9]\d{0,11})(?!\d|-\d)/gu

/** A number as `quoted` finds it. */
const keyOf = (series: string, number: string): string => `${series} ${number}`

/** The keys of a document number: of "EX-7-12" the series is "EX7" or, as people quote it, "EX-7". */
function keyOfNumber(number: string): string {
  const [, series = '', place = ''] = /^(.*?)[^\p{L}\p{N}]*0*([1-9]\d*)$/u.exec(number.toUpperCase()) ?? []
  return keyOf(series.replaceAll(/[^\p{L}\p{N}]/gu, ''), place)
}

function indexed<T>(
  items: readonly T[],
  key: (item: T) => string | number,
): ReadonlyMap<string | number, readonly T[]> {
  return Map.groupBy(items, key)
}

/** Finds whose a line may be, among everything that is known. */
class Finder {
  readonly #byNumber
  readonly #byAmount
  readonly #ofClient
  readonly #payers
  readonly #names

  constructor({ documents, payers, names }: Everything) {
    this.#byNumber = indexed(documents, ({ number }) => keyOfNumber(number))
    const open = documents.filter(({ former }) => !former)
    this.#byAmount = indexed(open, ({ due, currency }) => `${new Big(due).toFixed(2)} ${currency}`)
    this.#ofClient = indexed(open, ({ client }) => client)
    this.#payers = indexed(payers, ({ sign }) => sign)
    this.#names = indexed(names, ({ sign }) => sign)
  }

  /** The documents of its currency that a line quotes. */
  #quoted({ text, currency }: OpenLine): Document[] {
    const upper = text.toUpperCase()
    const found = [quoted, quotedInner]
      .flatMap((pattern) => [...upper.matchAll(pattern)])
      .flatMap(([, series = '', number = '']) => this.#byNumber.get(keyOf(series, number)) ?? [])
    return [...new Set(found)].filter((document) => document.currency === currency)
  }

  /** Documents with this amount open; of the usual amounts there are thousands, of which nothing more is known. */
  #ofAmount({ amount, currency }: OpenLine): readonly Document[] {
    return this.#byAmount.get(`${new Big(amount).toFixed(2)} ${currency}`) ?? []
  }

  #clients(names: ReadonlyMap<string | number, readonly Known[]>, sign: string | null): number[] {
    return sign === null ? [] : (names.get(sign) ?? []).slice(0, mostKnown).map(({ client }) => client)
  }

  /** Every candidate of a line with its signs, best first. */
  candidates(line: OpenLine): Candidate[] {
    const numbers = this.#quoted(line)
    const amounts = this.#ofAmount(line).slice(0, mostCandidates)
    const isDue = ({ due }: Document) => new Big(due).eq(line.amount)
    const payers = this.#clients(this.#payers, line.iban)
    const names = this.#clients(this.#names, line.payer)
    const known = [...new Set([...payers, ...names])]
    const ofKnown = known.flatMap((client) => this.#ofClient.get(client) ?? [])
    const documents = [...new Set([...numbers, ...amounts, ...ofKnown])].filter(
      ({ currency, former }) => currency === line.currency && !former,
    )
    const quoting = numbers.filter(({ former }) => former).map(({ client }) => client)
    const isQuoted = (client: number, document?: Document) =>
      document ? numbers.includes(document) : quoting.includes(client)
    const signsOf = (client: number, document?: Document): Sign[] => [
      ...(isQuoted(client, document) ? (['number'] as const) : []),
      ...(document && isDue(document) ? (['amount'] as const) : []),
      ...(payers.includes(client) ? (['iban'] as const) : []),
      ...(names.includes(client) ? (['name'] as const) : []),
    ]
    const all: Candidate[] = [
      ...documents.map((one) => ({ client: one.client, invoice: one.id, signs: signsOf(one.client, one) })),
      ...[...new Set([...known, ...quoting])].map((client) => ({
        client,
        invoice: null,
        signs: signsOf(client),
      })),
    ]
    return all.sort((one, other) => weightOf(other) - weightOf(one))
  }
}

/** Whether the best candidate is the document that the line quotes, with its amount, and nothing speaks against it. */
function isCertain(line: OpenLine, candidates: readonly Candidate[]): boolean {
  const [best, ...others] = candidates
  const isQuoted = ({ signs }: Candidate) => signs.includes('number')
  if (line.reversal || !best || !isQuoted(best) || !best.signs.includes('amount')) return false
  const isElsewhere = others.some(({ client, signs }) => client !== best.client && signs.includes('iban'))
  return !others.some(isQuoted) && !isElsewhere
}

type Proposal = {
  readonly id: number
  readonly match: z.output<typeof bankMatch>
  readonly candidates: readonly Candidate[]
}

/** Finds the proposals for open lines, the oldest first and some at a time: a document is certain for the first line that pays it alone. */
export function proposer(everything: Everything): (lines: readonly OpenLine[]) => Proposal[] {
  const finder = new Finder(everything)
  const taken = new Set(everything.documents.filter(({ lost }) => lost).map(({ id }) => id))
  return (lines) =>
    lines.map((line) => {
      const candidates = finder.candidates(line)
      const [best] = candidates
      const invoice = best?.invoice ?? null
      const certain = isCertain(line, candidates) && invoice !== null && !taken.has(invoice)
      if (certain) taken.add(invoice)
      const match = candidates.length > 0 ? 'likely' : 'none'
      const shown = candidates.slice(0, mostCandidates)
      return { id: line.id, match: certain ? 'certain' : match, candidates: shown }
    })
}
