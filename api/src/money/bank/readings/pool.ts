import { calendarDay } from '#money/bank/files/statement.ts'
import { nearDays, referencesOf, swapped } from './compare.ts'
import { factsKey, type Read, type StoredLine } from './facts.ts'

type Index = Map<string, StoredLine[]>

const dayMs = 86_400_000

/** The days that may be another one: those nearby, and the one with day and month read for each other. */
export function daysAround(day: string): readonly string[] {
  const at = Date.parse(day)
  const near = Array.from({ length: 2 * nearDays + 1 }, (_, n) =>
    new Date(at + (n - nearDays) * dayMs).toISOString().slice(0, 10),
  )
  const exchanged = calendarDay(swapped(day))
  return [...new Set([day, ...near, ...(exchanged === undefined ? [] : [exchanged])])]
}

const add = (index: Index, key: string, line: StoredLine): void => {
  const found = index.get(key)
  if (found) found.push(line)
  else index.set(key, [line])
}

const placeOf = (day: string, { amount, currency }: Pick<Read, 'amount' | 'currency'>): string =>
  `${day} ${amount} ${currency}`

/** What a line says by which it may be found, without its day. */
const signsOf = (line: Read): readonly string[] => [
  ...referencesOf(line).map((one) => `reference ${one}`),
  ...(line.payerIban === null ? [] : [`account ${line.payerIban}`]),
  ...(line.payerWords === '' ? [] : [`payer ${line.payerWords}`]),
  ...(line.textWords === '' ? [] : [`text ${line.textWords}`]),
]

/** Payments of one entry, whose sum may stand in another file as one line. */
export type Group = { readonly lines: readonly StoredLine[]; readonly sum: string }

// Comparing each line with all others of a popular price would take minutes for a file of a hundred thousand.
const mostComparisons = 1_000_000
const [leastEach, mostEach, mostSkipped] = [10, 500, 1000]

/** The stored lines that no line of the file has taken, the oldest first. */
export class Pool {
  readonly #exact: Index = new Map()
  readonly #byPlace: Index = new Map()
  readonly #bySign: Index = new Map()
  readonly #byReference: Index = new Map()
  readonly #taken = new Set<StoredLine>()
  readonly #money = new Set<number>()
  readonly #readings = new Set<string | null>()
  readonly #all: readonly StoredLine[]
  readonly #each: number

  /** `lines`: how many a file has. */
  constructor(stored: readonly StoredLine[], lines: number) {
    this.#all = stored
    this.#each = Math.min(mostEach, Math.max(leastEach, Math.floor(mostComparisons / Math.max(1, lines))))
    for (const line of stored.toReversed()) this.#add(line)
  }

  #add(line: StoredLine): void {
    const place = placeOf(line.day, line)
    this.#readings.add(line.isTakenBack ? null : line.reading)
    if (!line.isTakenBack) add(this.#exact, factsKey(line), line)
    add(this.#byPlace, place, line)
    for (const sign of signsOf(line)) add(this.#bySign, `${place} ${sign}`, line)
    for (const one of referencesOf(line)) add(this.#byReference, one, line)
  }

  remove(line: StoredLine): void {
    this.#taken.add(line)
    this.#money.add(line.money)
  }

  /** Whether neither the row nor another reading of its money was taken. */
  has(line: StoredLine): boolean {
    return !this.#money.has(line.money)
  }

  /** A line of the same reading that says just the same, for which a condition holds. */
  exact(key: string, isFit: (line: StoredLine) => boolean = () => true): StoredLine | undefined {
    const lines = this.#exact.get(key) ?? []
    while (lines.length > 0 && this.#taken.has(lines.at(-1) as StoredLine)) lines.pop()
    return lines.findLast((line) => !this.#taken.has(line) && isFit(line))
  }

  #some(index: Index, key: string): StoredLine[] {
    const lines = index.get(key) ?? []
    const found: StoredLine[] = []
    for (
      let at = lines.length - 1, left = mostSkipped;
      at >= 0 && found.length < this.#each && left > 0;
      at--
    ) {
      const line = lines[at]
      if (line && this.has(line)) found.push(line)
      else if (found.length === 0) lines.pop()
      else left--
    }
    return found
  }

  /** Lines of the same day and amount, those first that share something with it. */
  onDay(line: Read): readonly StoredLine[] {
    const place = placeOf(line.day, line)
    const bySign = signsOf(line).flatMap((sign) => this.#some(this.#bySign, `${place} ${sign}`))
    return [...new Set([...bySign, ...this.#some(this.#byPlace, place)])]
  }

  /** Lines of an amount on the days around one. */
  ofAmount(day: string, amount: Pick<Read, 'amount' | 'currency'>): readonly StoredLine[] {
    return daysAround(day).flatMap((one) => this.#some(this.#byPlace, placeOf(one, amount)))
  }

  /** Lines that may be the same money though the day or the amount differs, after those of the same day and amount. */
  around(line: Read): readonly StoredLine[] {
    const near = this.#onlyHas(line.reading)
      ? []
      : daysAround(line.day).flatMap((day) =>
          signsOf(line).flatMap((sign) => this.#some(this.#bySign, `${placeOf(day, line)} ${sign}`)),
        )
    const named = referencesOf(line).flatMap((one) => this.#some(this.#byReference, one))
    return [...this.onDay(line), ...near, ...named]
  }

  #onlyHas(reading: string | null): boolean {
    return [...this.#readings].every((one) => one !== null && one === reading)
  }

  /** The batches of which every payment is here. */
  groups(): readonly Group[] {
    const all = Map.groupBy(
      this.#all.filter(({ batch }) => batch !== null),
      ({ statement, batch }) => `${statement} ${batch?.entry}`,
    )
    return [...all.values()]
      .filter((lines) => lines.length > 1 && lines.every((line) => this.has(line)))
      .map((lines) => ({ lines, sum: sumOf(lines) }))
  }
}

/** The sum of amounts of one currency, exact to the cent. */
export function sumOf(lines: readonly Pick<Read, 'amount'>[]): string {
  const cents = lines.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n).toString()
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`
}
