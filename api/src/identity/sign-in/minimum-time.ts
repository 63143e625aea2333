import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The minimum response time in milliseconds: longer than any of the answers takes, so that timing discloses
 * nothing.
 */
const minimumMs = 250

const rest = (begun: number) => sleep(Math.max(0, minimumMs - (performance.now() - begun)))

/** Answers after the minimum response time, on success and failure. */
export async function answerAfterMinimumTime<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    await rest(begun)
  }
}

/** Like `answerAfterMinimumTime`, but success answers at once. */
export async function failAfterMinimumTime<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } catch (error) {
    await rest(begun)
    throw error
  }
}
