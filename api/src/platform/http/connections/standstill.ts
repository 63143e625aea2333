// A timer that is later than this was kept from running.
const late = 100
const tickMs = 250
// As long as the longest limit of a request, and as much again.
const rememberedMs = 180_000

/** Measures for how long this process did not run: the machine was busy, it was suspended, or one task took long. */
export class Standstill {
  #ticked = performance.now()
  #stalls: { readonly until: number; readonly ms: number }[] = []
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()

  /** Milliseconds for which it did not run, of standstills that ended in the last `ms`. */
  within(ms: number): number {
    const now = performance.now()
    const sum = this.#stalls.reduce((all, stall) => all + (stall.until > now - ms ? stall.ms : 0), 0)
    return sum + this.#lateness(now)
  }

  /**
   * Calls back when `ms` have passed in which this process ran, and what had arrived by then was read. Returns how it is
   * called off.
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
