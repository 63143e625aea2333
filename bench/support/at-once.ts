/**
 * Runs a task for each item with limited concurrency, last item first, and returns the sorted milliseconds.
 */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  const left = [...items]
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      const begun = performance.now()
      await work(item)
      took.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return took.sort((a, b) => a - b)
}

/** A percentile of sorted values, in whole milliseconds. */
export const part = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0)
