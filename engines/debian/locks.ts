/** Runs what is asked under one name one after the other. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>()

  alone<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    // A failure reaches its own caller only, and those behind it go on.
    const mine = before.then(act, act)
    this.#last.set(name, mine)
    const forget = () => {
      if (this.#last.get(name) === mine) this.#last.delete(name)
    }
    mine.then(forget, forget)
    return mine
  }

  /** Whether something runs under a name. */
  isBusy(name: string): boolean {
    return this.#last.has(name)
  }
}
