import { setImmediate } from 'node:timers/promises'
import { calendarDay } from '#money/bank/files/statement.ts'
import { nearDays, referencesOf, swapped } from './compare.ts'
import { factsKey, type Read, type StoredLine } from './facts.ts'
import type { Taken } from './taken.ts'

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

export const placeOf = (day: string, { amount, currency }: Pick<Read, 'amount' | 'currency'>): string =>
  `${day} ${amount} ${currency}`

/** What a line says by which it may be found, without its day. */
const signsOf = (line: Read): readonly string[] => [
  ...referencesOf(line).map((one) => `reference ${one}`),
  ...(line.payerIban === null ? [] : [`account ${line.payerIban}`]),
  ...(line.payerWords === '' ? [] : [`payer ${line.payerWords}`]),
  ...(line.textWords === '' ? [] : [`text ${line.textWords}`]),
]

// Comparing each line with all others of a popular price would take minutes for a file of a hundred thousand.
const mostComparisons = 400_000
const [leastEach, mostEach, mostSkipped] = [10, 200, 20]

const rowsAtOnce = 5000

/** Whether a stored line is the money of no other row, as far as anybody knows. */
const isOwnMoney = ({ row, money, doubtOf }: StoredLine): boolean => money === row && doubtOf === null

/** Some stored lines that no line of the file has taken, the oldest first. */
export class Pool {
  /** By what they say, and then by the part in which they stand. */
  readonly #exact = new Map<string, Index>()
  readonly #byPlace: Index = new Map()
  readonly #bySign: Index = new Map()
  readonly #byReference: Index = new Map()
  readonly #readings = new Set<string | null>()
  readonly #taken: Taken
  readonly #each: number
  readonly all: readonly StoredLine[]

  private constructor(stored: readonly StoredLine[], lines: number, taken: Taken) {
    this.all = stored
    this.#taken = taken
    this.#each = Math.min(mostEach, Math.max(leastEach, Math.floor(mostComparisons / Math.max(1, lines))))
  }

  /** `lines`: how many are compared with them. Other requests are answered meanwhile. */
  static async of(stored: readonly StoredLine[], lines: number, taken: Taken): Promise<Pool> {
    const pool = new Pool(stored, lines, taken)
    const last = stored.filter((line) => !isOwnMoney(line))
    const first = stored.filter(isOwnMoney)
    // What was added last is found first.
    for (const [at, line] of [...last.toReversed(), ...first.toReversed()].entries()) {
      if (at % rowsAtOnce === 0) await setImmediate()
      pool.#add(line)
    }
    return pool
  }

  #add(line: StoredLine): void {
    const place = placeOf(line.day, line)
    this.#readings.add(line.isTakenBack ? null : line.reading)
    if (!line.isTakenBack) {
      const key = factsKey(line)
      const alike = this.#exact.get(key) ?? new Map<string, StoredLine[]>()
      this.#exact.set(key, alike)
      add(alike, JSON.stringify([line.statement, line.balances]), line)
    }
    add(this.#byPlace, place, line)
    for (const sign of signsOf(line)) add(this.#bySign, `${place} ${sign}`, line)
    for (const one of referencesOf(line)) add(this.#byReference, one, line)
  }

  remove(line: StoredLine): void {
    this.#taken.add(line)
  }

  release(line: StoredLine): void {
    this.#taken.release(line)
  }

  has(line: StoredLine): boolean {
    return !this.#taken.hasMoney(line)
  }

  /** A line of the same reading that says just the same, from a part for which a condition holds; one with its own money first. */
  exact(key: string, isFit: (line: StoredLine) => boolean = () => true): StoredLine | undefined {
    let second: StoredLine | undefined
    for (const lines of this.#exact.get(key)?.values() ?? []) {
      let last = lines.at(-1)
      while (last && this.#taken.hasRow(last)) {
        lines.pop()
        last = lines.at(-1)
      }
      if (!last || !isFit(last)) continue
      if (isOwnMoney(last)) return last
      second ??= last
    }
    return second
  }

  #some(index: Index, key: string): StoredLine[] {
    const lines = index.get(key) ?? []
    const found: StoredLine[] = []
    let skipped = 0
    for (let at = lines.length - 1; at >= 0 && found.length < this.#each; at--) {
      const line = lines[at]
      if (line && this.has(line)) found.push(line)
      else skipped++
    }
    // What was taken is not looked at once more.
    if (skipped > mostSkipped)
      index.set(
        key,
        lines.filter((line) => this.has(line)),
      )
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
    const others = this.#onlyHas(line.reading) ? [] : this.ofAmount(line.day, line)
    return [...new Set([...this.onDay(line), ...near, ...named, ...others])]
  }

  /** A line of the same day and amount, where other readings have more of them than are compared. */
  restOfDay(line: Read): StoredLine | undefined {
    if (this.#onlyHas(line.reading)) return undefined
    const some = this.#some(this.#byPlace, placeOf(line.day, line))
    return some.length === this.#each ? some[0] : undefined
  }

  #onlyHas(reading: string | null): boolean {
    return reading !== null && this.#readings.size === 1 && this.#readings.has(reading)
  }
}

/** The sum of amounts of one currency, exact to the cent. */
export function sumOf(lines: readonly Pick<Read, 'amount'>[]): string {
  const cents = lines.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n).toString()
  const digits = cents.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
