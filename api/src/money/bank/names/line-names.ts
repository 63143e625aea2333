import { createHash } from 'node:crypto'
import type { Statement, StatementLine } from '#money/bank/files/statement.ts'

/** A line with the name by which it is stored once for ever. */
export type NamedLine = StatementLine & { readonly id: string }

/** A line of an earlier file of the same account. */
export type StoredLine = Pick<StatementLine, 'day' | 'amount' | 'currency' | 'payer' | 'text'> & {
  readonly name: string
  /** The bank's reference, else the name. */
  readonly reference: string
  readonly format: Statement['format']
  readonly isMatched: boolean
}

type Fact = Pick<StatementLine, 'day' | 'amount' | 'currency' | 'payer' | 'text'>

const letters = (text: string | null): string => (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const textsOf = ({ payer, text }: Fact): readonly string[] => [letters(payer), letters(text)]

const fingerprint = (iban: string, line: StatementLine, place: number): string => {
  const parts = [iban, line.day, line.amount, line.currency, ...textsOf(line), place]
  return `#${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`
}

const sameFact = (one: StatementLine, other: StatementLine): boolean =>
  one.day === other.day && one.amount === other.amount && one.text === other.text && one.payer === other.payer

/** The references that a file uses for several facts. Each line is judged once: a file may have one reference in every line. */
function sharedIn(lines: readonly StatementLine[]): ReadonlySet<string> {
  const known = new Map<string, StatementLine>()
  const shared = new Set<string>()
  for (const line of lines) {
    if (line.reference === null) continue
    const first = known.get(line.reference)
    if (first === undefined) known.set(line.reference, line)
    else if (!sameFact(first, line)) shared.add(line.reference)
  }
  return shared
}

/** The lines without the repetitions of one whose reference names it alone. */
function withoutCopies(lines: readonly StatementLine[], shared: ReadonlySet<string>): StatementLine[] {
  const seen = new Set<string>()
  return lines.filter(({ reference }) => {
    if (reference === null || shared.has(reference)) return true
    const isCopy = seen.has(reference)
    seen.add(reference)
    return !isCopy
  })
}

/** What two lines of one reference have in common when they are the same; texts are compared within one format only. */
const keyOf = (reference: string, line: Fact, texts: readonly string[]): string =>
  JSON.stringify([reference, line.day, line.amount, line.currency, ...texts])

/** The names of the stored lines of each key, the oldest last. */
function namesByKey(format: Statement['format'], stored: readonly StoredLine[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of stored.toReversed()) {
    const key = keyOf(line.reference, line, line.format === format ? textsOf(line) : [])
    const found = names.get(key)
    if (found) found.push(line.name)
    else names.set(key, [line.name])
  }
  return names
}

/**
 * Whether a line is other money than the stored one of its reference: with an amount or day, and a payer or text, of its own. What was
 * read wrongly from another format has other texts too, and is no other money.
 */
function isOther(format: Statement['format'], stored: StoredLine, line: StatementLine): boolean {
  const isOtherMoney =
    stored.amount !== line.amount ||
    stored.currency !== line.currency ||
    (!stored.isMatched && stored.day !== line.day)
  return isOtherMoney && stored.format === format && textsOf(stored).join(' ') !== textsOf(line).join(' ')
}

/**
 * Names lines as an earlier file named them, else by the bank's reference. Gives undefined for a line without it, and for one whose
 * reference stands for several lines, of this file or an earlier one.
 */
function namesByReference(
  { format }: Statement,
  shared: ReadonlySet<string>,
  stored: readonly StoredLine[],
): (line: StatementLine) => string | undefined {
  const names = namesByKey(format, stored)
  const holders = new Map(stored.map((one) => [one.name, one]))
  return (line) => {
    const { reference } = line
    if (reference === null) return undefined
    const known =
      names.get(keyOf(reference, line, textsOf(line)))?.pop() ?? names.get(keyOf(reference, line, []))?.pop()
    if (known !== undefined) return known
    const holder = holders.get(reference)
    const isTaken = holder && (holder.reference !== reference || isOther(format, holder, line))
    return isTaken || shared.has(reference) ? undefined : reference
  }
}

/**
 * Names the lines of a file, each as an earlier file named it: by the bank's reference, else by a fingerprint of day, amount, payer
 * and text, and the place among equal ones. A line that the file repeats is one.
 */
export function nameLines(statement: Statement, stored: readonly StoredLine[] = []): NamedLine[] {
  const shared = sharedIn(statement.lines)
  const nameOf = namesByReference(statement, shared, stored)
  const lines = withoutCopies(statement.lines, shared).map((line) => ({ line, name: nameOf(line) }))
  const taken = new Set(lines.flatMap(({ name }) => name ?? []))
  const places = new Map<string, number>()
  return lines.map(({ line, name }) => {
    if (name !== undefined) return { ...line, id: name }
    const base = fingerprint(statement.iban, line, 0)
    let place = places.get(base) ?? 0
    while (taken.has(fingerprint(statement.iban, line, place))) place++
    places.set(base, place + 1)
    return { ...line, id: fingerprint(statement.iban, line, place) }
  })
}
