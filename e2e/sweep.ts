/** The seed of this run, by which it chooses what it looks at. */
const seed = Number(process.env.TEST_SEED)

/** Whether everything is looked at, as `npm run test:long` does. */
export const isWhole = process.env.SWEEP === 'whole'

/** One case in so many, another part of them with each seed; `turn` chooses yet another part. */
export const sampled = <T>(oneIn: number, cases: readonly T[], turn = 0): readonly T[] =>
  isWhole ? cases : cases.filter((_, at) => (at + seed + turn) % oneIn === 0)
