import { createHash } from 'node:crypto'
import type { Statement, StatementLine } from '#money/bank/files/statement.ts'

/** A line with the name by which it is stored once for ever. */
export type NamedLine = StatementLine & { readonly id: string }

type Fact = Pick<StatementLine, 'day' | 'amount' | 'currency' | 'payer' | 'payerIban' | 'text'>

/** A line of an earlier file of the same account. */
export type StoredLine = Fact & {
  readonly name: string
  /** The bank's reference, else the name. */
  readonly reference: string
  readonly format: Statement['format']
  /** The last day that it may really have, where it stayed of an import that was taken back and was not read again. */
  readonly misreadUntil: string | null
}

const letters = (text: string | null): string => (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const textsOf = ({ payer, text }: Fact): readonly string[] => [letters(payer), letters(text)]

const fingerprint = (iban: string, line: StatementLine, place: number): string => {
  const parts = [iban, line.day, line.amount, line.currency, ...textsOf(line), place]
  return `#${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`
}

const sameFact = (one: StatementLine, other: StatementLine): boolean =>
  one.day === other.day && one.amount === other.amount && one.text === other.text && one.payer === other.payer

/** The references that a file uses for several facts. Each line is judged once: a file may have one reference in every line. */
function sharedIn({ format, lines }: Statement): ReadonlySet<string> {
  const known = new Map<string, StatementLine>()
  const shared = new Set<string>()
  for (const line of lines) {
    if (line.reference === null) continue
    const first = known.get(line.reference)
    if (first === undefined) known.set(line.reference, line)
    else if (format !== 'csv' || !sameFact(first, line)) shared.add(line.reference)
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

type Reader = (line: Fact) => readonly string[] | undefined

/** By what else than reference, day and amount a line is that of another format: texts differ there, an account does not. */
const acrossFormats: readonly Reader[] = [
  ({ payerIban }) => (payerIban === null ? undefined : [payerIban]),
  ({ payer }) => (letters(payer) === '' ? undefined : [letters(payer)]),
  () => [],
]

/** Some stored lines by what they are read by, the oldest last. */
function linesBy(stored: readonly StoredLine[], read: Reader): Map<string, StoredLine[]> {
  const names = new Map<string, StoredLine[]>()
  for (const one of stored.toReversed()) {
    const parts = read(one)
    if (parts === undefined) continue
    const key = keyOf(one.reference, one, parts)
    const found = names.get(key)
    if (found) found.push(one)
    else names.set(key, [one])
  }
  return names
}

/** The names of the lines of a file that earlier files had, each once: within its format by the texts, else by the best sign there is. */
function knownNames(
  { format, iban, lines }: Statement,
  stored: readonly StoredLine[],
): Map<StatementLine, string> {
  const found = new Map<StatementLine, string>()
  const assign = (candidates: readonly StoredLine[], read: Reader) => {
    const used = new Set(found.values())
    const names = linesBy(
      candidates.filter((one) => !used.has(one.name)),
      read,
    )
    for (const line of lines) {
      const parts = read(line)
      if (line.reference === null || parts === undefined || found.has(line)) continue
      const same = names.get(keyOf(line.reference, line, parts))
      const next = same?.at(-1)
      if (next === undefined || hasOtherPayer(iban, next, line)) continue
      same?.pop()
      found.set(line, next.name)
    }
  }
  assign(
    stored.filter((one) => one.format === format),
    textsOf,
  )
  for (const read of acrossFormats)
    assign(
      stored.filter((one) => one.format !== format),
      read,
    )
  return found
}

const dayMs = 86_400_000
/** A bank may say another day of the same money in another file; a week later it is the next standing order. */
const nearDays = 6

/** Whether day and month were read for each other. */
const isSwapped = (one: string, other: string): boolean =>
  one === `${other.slice(0, 4)}-${other.slice(8)}-${other.slice(5, 7)}`

const daysApart = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / dayMs

/** Whether both say which account paid, and it is not the same one. The operator's own is a column that was read wrongly. */
function hasOtherPayer(iban: string, stored: Fact, line: Fact): boolean {
  const [one, other] = [stored.payerIban, line.payerIban]
  return one !== null && other !== null && one !== other && one !== iban && other !== iban
}

/** Whether the day of a stored line of another format may be that of a line: a few days off, or read wrongly. */
const mayBeItsDay = ({ day, misreadUntil }: StoredLine, line: StatementLine): boolean =>
  daysApart(day, line.day) <= nearDays ||
  isSwapped(day, line.day) ||
  (misreadUntil !== null && line.day <= misreadUntil)

/**
 * Whether a line is other money than the stored one of its reference: of another account; in CAMT or MT940, where nothing is read
 * wrongly, with another day than in a file of the same format, or with another amount and text; else a week away. The columns of a CSV are a person's choice.
 */
function isOther({ format, iban }: Statement, stored: StoredLine, line: StatementLine): boolean {
  if (hasOtherPayer(iban, stored, line)) return true
  if (format === 'csv') return false
  if (stored.format !== format) return !mayBeItsDay(stored, line)
  if (stored.day !== line.day) return true
  const isOtherMoney = stored.amount !== line.amount || stored.currency !== line.currency
  return isOtherMoney && textsOf(stored).join(' ') !== textsOf(line).join(' ')
}

/**
 * Names lines as an earlier file named them, else by the bank's reference. Gives undefined for a line without it, and for one whose
 * reference stands for several lines, of this file or an earlier one.
 */
function namesByReference(
  statement: Statement,
  shared: ReadonlySet<string>,
  stored: readonly StoredLine[],
): (line: StatementLine) => string | undefined {
  const names = knownNames(statement, stored)
  const holders = new Map(stored.map((one) => [one.name, one]))
  return (line) => {
    const { reference } = line
    if (reference === null) return undefined
    const known = names.get(line)
    if (known !== undefined) return known
    const holder = holders.get(reference)
    const isTaken = holder && (holder.reference !== reference || isOther(statement, holder, line))
    return isTaken || shared.has(reference) ? undefined : reference
  }
}

/**
 * Names the lines of a file, each as an earlier file named it: by the bank's reference, else by a fingerprint of day, amount, payer
 * and text, and the place among equal ones. A line that the file repeats is one.
 */
export function nameLines(statement: Statement, stored: readonly StoredLine[] = []): NamedLine[] {
  const shared = sharedIn(statement)
  const own = withoutCopies(statement.lines, shared)
  const nameOf = namesByReference({ ...statement, lines: own }, shared, stored)
  const lines = own.map((line) => ({ line, name: nameOf(line) }))
  const references = new Map(stored.map(({ name, reference }) => [name, reference]))
  // A place of equal lines that stands for another reference is taken by other money.
  const isOfOther = (name: string, { reference }: StatementLine): boolean => {
    const known = references.get(name)
    return reference !== null && known !== undefined && known !== name && known !== reference
  }
  const taken = new Set(lines.flatMap(({ name }) => name ?? []))
  const places = new Map<string, number>()
  return lines.map(({ line, name }) => {
    if (name !== undefined) return { ...line, id: name }
    const base = fingerprint(statement.iban, line, 0)
    let place = places.get(base) ?? 0
    const isTaken = (at: string) => taken.has(at) || isOfOther(at, line)
    while (isTaken(fingerprint(statement.iban, line, place))) place++
    places.set(base, place + 1)
    return { ...line, id: fingerprint(statement.iban, line, place) }
  })
}
