import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any of the answers takes by itself, so that none tells by its time what was found. In milliseconds. */
const floor = 250

const rest = (begun: number) => sleep(Math.max(0, floor - (performance.now() - begun)))

/** Answers after a while, well or badly, so that the time does not tell what was done. */
export async function slowly<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    await rest(begun)
  }
}

/** As `slowly`, for what may be quick when it goes well. */
export async function failSlowly<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } catch (error) {
    await rest(begun)
    throw error
  }
}
