import type { StoredLine } from './facts.ts'

/** What the lines of a file have taken of the stored ones. */
export class Taken {
  readonly #rows = new Set<number>()
  readonly #money = new Set<number>()

  add({ row, money }: Pick<StoredLine, 'row' | 'money'>): void {
    this.#rows.add(row)
    this.#money.add(money)
  }

  /** Gives back what a line had, so that another line of the file may be it. */
  release({ row, money }: Pick<StoredLine, 'row' | 'money'>): void {
    this.#rows.delete(row)
    this.#money.delete(money)
  }

  hasRow({ row }: StoredLine): boolean {
    return this.#rows.has(row)
  }

  /** Whether the row, or another reading of its money, was taken. */
  hasMoney({ money }: Pick<StoredLine, 'money'>): boolean {
    return this.#money.has(money)
  }
}
