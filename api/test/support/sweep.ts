import { createHash } from 'node:crypto'
import { inject } from 'vitest'

/** The seed of this run, which it prints. */
export const runSeed: number = inject('seed')

/** Whether everything is walked, as `npm run test:long` does. */
export const isWhole = process.env.SWEEP === 'whole'

/** One case in so many, and at least one, chosen by the seed and what the cases are of. */
export function sampled<T>(of: string, oneIn: number, cases: readonly T[]): readonly T[] {
  if (isWhole || cases.length === 0) return cases
  const number = createHash('sha256').update(`${runSeed} ${of}`).digest().readUInt32LE()
  const first = number % Math.min(oneIn, cases.length)
  return cases.filter((_, at) => at % oneIn === first)
}
