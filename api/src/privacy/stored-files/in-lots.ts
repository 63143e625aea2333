import limit from 'p-limit'

// Parallel, because a remote storage is slow for each file.
const atOnce = 8

/**
 * Does work for every item, several at once; rejects with a failure once nothing runs any more. A lot begins
 * when it is complete, so that no failure comes while the next item is awaited, where nobody would catch it.
 */
export async function inLots<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const few = limit(atOnce)
  const carryOut = async (lot: readonly T[]) => {
    const results = await Promise.allSettled(lot.map((item) => few(() => work(item))))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
  let lot: T[] = []
  for await (const item of items) {
    lot.push(item)
    if (lot.length < 10 * atOnce) continue
    await carryOut(lot)
    lot = []
  }
  await carryOut(lot)
}
