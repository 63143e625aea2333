import type { Clock } from '#platform/clock.ts'

/** This many consecutive failures open the breaker. */
const mostFailures = 5
const restMs = 30_000

/** Thrown instead of a call while the breaker is open. */
class Resting extends Error {
  override readonly name = 'Resting'
}

/**
 * A circuit breaker: after five consecutive failures it rejects calls for 30 seconds, then lets one through,
 * whose outcome decides. A refusal is no failure; `failed` decides which errors are.
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
    if (now < this.#restsUntil) throw new Resting('It failed several times in a row, so calls are paused.')
    // The trial call keeps the breaker open for others until its outcome is known.
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
