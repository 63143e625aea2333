import type { StoredLine } from './facts.ts'

/** What the lines of a file have taken of the stored ones. */
export class Taken {
  readonly #rows = new Set<number>()
  readonly #money = new Map<number, StoredLine[]>()

  add(line: StoredLine): void {
    this.#rows.add(line.row)
    const known = this.#money.get(line.money)
    if (known) known.push(line)
    else this.#money.set(line.money, [line])
  }

  hasRow({ row }: StoredLine): boolean {
    return this.#rows.has(row)
  }

  /** Whether the row, or another reading of its money, was taken. */
  hasMoney({ money }: StoredLine): boolean {
    return this.#money.has(money)
  }

  /**
   * The money of another row that a taken one is, or may be, where the file has that one too, by a line of another statement: of its two
   * lines one may be other money.
   */
  claimedTwice(line: StoredLine): number | undefined {
    const money = line.doubtOf ?? (line.money === line.row ? null : line.money)
    if (money === null) return undefined
    const isOther = (one: StoredLine) => one !== line && one.statement !== line.statement
    return this.#money.get(money)?.some(isOther) ? money : undefined
  }
}
