import { seeded } from './usage-workload.ts'

/** Random choices that a seed repeats. */
export class Choices {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  /** From zero, and below one. */
  part(): number {
    return this.#random()
  }

  /** A whole number from zero. */
  below(most: number): number {
    return Math.floor(this.#random() * most)
  }

  one<T>(of: readonly T[]): T | undefined {
    return of[this.below(of.length)]
  }

  /** One of a list that has one at least. */
  oneOf<T>(...of: readonly [T, ...T[]]): T {
    return this.one(of) ?? of[0]
  }

  /** An amount from 0.01. */
  cents(most: number): number {
    return (1 + this.below(most * 100)) / 100
  }
}
