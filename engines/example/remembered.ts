const rememberMs = 30 * 86_400_000

/** Answers by the id of their request, for 30 days: a real engine stores them with what it did. */
export class Remembered<T> {
  readonly #known = new Map<string, { readonly answer: T; readonly at: number }>()

  /** Does what is asked under a key once; a repeated call gets the first answer. */
  once(key: string, work: () => T): T {
    for (const [old, { at }] of this.#known) if (Date.now() - at > rememberMs) this.#known.delete(old)
    const known = this.#known.get(key)
    if (known) return known.answer
    const answer = work()
    this.#known.set(key, { answer, at: Date.now() })
    return answer
  }
}
