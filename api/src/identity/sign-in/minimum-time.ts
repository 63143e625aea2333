import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The minimum response time in milliseconds: longer than any of the answers takes, so that timing discloses
 * nothing.
 */
const floor = 250

const rest = (begun: number) => sleep(Math.max(0, floor - (performance.now() - begun)))

/** Answers after the minimum response time, on success and failure. */
export async function slowly<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    await rest(begun)
  }
}

/** Like `slowly`, but success answers at once. */
export async function failSlowly<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } catch (error) {
    await rest(begun)
    throw error
  }
}
