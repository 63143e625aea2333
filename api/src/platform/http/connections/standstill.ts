// A timer later than this means that the process did not run.
const late = 100
const tickMs = 250
// Twice the longest time limit of a request.
const rememberedMs = 180_000

/**
 * Measures how long this process did not run: the machine was busy, it was suspended, or one task took long.
 */
export class Standstill {
  #ticked = performance.now()
  #stalls: { readonly until: number; readonly ms: number }[] = []
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()

  /** Milliseconds of standstill, counting standstills that ended in the last `ms`. */
  within(ms: number): number {
    const now = performance.now()
    const sum = this.#stalls.reduce((all, stall) => all + (stall.until > now - ms ? stall.ms : 0), 0)
    return sum + this.#lateness(now)
  }

  /**
   * Calls back after `ms` of actual running time, once pending input has been read. Returns the function that
   * cancels it.
   */
  after(ms: number, call: () => void): () => void {
    let timer: NodeJS.Timeout
    const wait = (time: number) => {
      timer = setTimeout(() => {
        const missed = this.within(time)
        if (missed > 0) wait(missed)
        else setImmediate(call)
      }, time)
    }
    wait(ms)
    return () => clearTimeout(timer)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #lateness(now: number): number {
    const ms = now - this.#ticked - tickMs
    return ms > late ? ms : 0
  }

  #tick(): void {
    const now = performance.now()
    const ms = this.#lateness(now)
    this.#stalls = this.#stalls.filter(({ until }) => until > now - rememberedMs)
    if (ms > 0) this.#stalls.push({ until: now, ms })
    this.#ticked = now
  }
}
