import type { Clock } from '#platform/clock.ts'

/** So many failures in a row, and nothing more is asked for a while. */
const mostFailures = 5
const restMs = 30_000

/** Thrown instead of a call to something that has failed several times in a row. */
class Resting extends Error {
  override readonly name = 'Resting'
}

/**
 * Spares both sides calls that would fail: after five failures in a row it lets nothing through for 30 seconds, then one
 * call, whose outcome decides. An answer that is a refusal is no failure; `failed` says which errors are.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #failed: (error: unknown) => boolean
  #failures = 0
  #restsUntil = 0

  constructor(clock: Clock, failed: (error: unknown) => boolean) {
    this.#clock = clock
    this.#failed = failed
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const now = this.#clock.now().getTime()
    if (now < this.#restsUntil)
      throw new Resting('It failed several times in a row and is left alone a while.')
    // The one that tries after the rest keeps the others waiting until its own outcome is known.
    if (this.#failures >= mostFailures) this.#restsUntil = now + restMs
    try {
      const answer = await call()
      this.#failures = 0
      this.#restsUntil = 0
      return answer
    } catch (error) {
      this.#count(error)
      throw error
    }
  }

  #count(error: unknown): void {
    if (!this.#failed(error)) {
      this.#failures = 0
      this.#restsUntil = 0
      return
    }
    this.#failures += 1
    if (this.#failures >= mostFailures) this.#restsUntil = this.#clock.now().getTime() + restMs
  }
}
