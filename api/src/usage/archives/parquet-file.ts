import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EventRow, Order, Written } from './event-columns.ts'

/** Encoding and compressing would hold up requests, so a thread does it. */
function openFile(file: string) {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), { workerData: { file } })
  const ended = once(worker, 'exit').then(() => {
    throw new Error('The thread that writes the archive has ended.')
  })
  ended.catch(() => undefined)
  return {
    ask: async (order: Order): Promise<Written | undefined> => {
      // Rejects with the error of the thread, too.
      const answer = once(worker, 'message')
      worker.postMessage(order)
      const [message]: (Written | undefined)[] = await Promise.race([answer, ended])
      return message
    },
    close: () => worker.terminate(),
  }
}

/**
 * Writes rows into a local Parquet file, and reads it back. Throws when what was read differs from what was to be
 * written.
 */
export async function writeParquet(
  file: string,
  rows: AsyncIterable<readonly EventRow[]>,
  quantityAt: number,
): Promise<Written> {
  const { ask, close } = openFile(file)
  let count = 0
  let millionths = 0n
  try {
    for await (const some of rows) {
      count += some.length
      for (const row of some) millionths += BigInt(row[quantityAt] ?? 0)
      await ask({ rows: some })
    }
    const written = await ask('end')
    if (written?.rows !== count || written.millionths !== millionths)
      throw new Error(
        `Of ${count} rows with ${millionths}, ${written?.rows} with ${written?.millionths} were read back.`,
      )
    return written
  } finally {
    await close()
  }
}
