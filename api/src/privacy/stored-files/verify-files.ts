import limit from 'p-limit'
import { inspectFile, type StoredFiles } from '#platform/files/stored-files.ts'
import { namedFiles } from './file-names.ts'

// Parallel reads, because a remote storage is slow for each file.
const atOnce = 8

/**
 * Reads every referenced file, or a random `sample` of them, and compares it with its SHA-256. `tell`
 * receives a line for each that differs. Throws `storage_unavailable`. Changes nothing.
 */
export async function verifyFiles(
  { pool, storage }: StoredFiles,
  { sample, tell }: { readonly sample?: number | undefined; readonly tell: (line: string) => void },
): Promise<{ readonly read: number; readonly damaged: number; readonly missing: number }> {
  const few = limit(atOnce)
  const counts = { read: 0, damaged: 0, missing: 0 }
  let lot: Promise<void>[] = []
  for await (const file of namedFiles(pool.kysely, sample)) {
    lot.push(
      few(async () => {
        const { state } = await inspectFile(storage, file)
        counts.read += 1
        if (state === 'whole') return
        counts[state] += 1
        tell(`${state}: ${file.what} (${file.key})`)
      }),
    )
    if (lot.length < 10 * atOnce) continue
    await Promise.all(lot)
    lot = []
  }
  await Promise.all(lot)
  return counts
}
