import { inspectFile, type StoredFiles } from '#platform/files/stored-files.ts'
import { namedFiles } from './file-names.ts'
import { inLots } from './in-lots.ts'

/**
 * Reads every referenced file, or a random `sample` of them, and compares it with its SHA-256. `tell`
 * receives a line for each that differs. Throws `storage_unavailable`. Changes nothing.
 */
export async function verifyFiles(
  { pool, storage }: StoredFiles,
  { sample, tell }: { readonly sample?: number | undefined; readonly tell: (line: string) => void },
): Promise<{ readonly read: number; readonly damaged: number; readonly missing: number }> {
  const counts = { read: 0, damaged: 0, missing: 0 }
  await inLots(namedFiles(pool.kysely, sample), async (file) => {
    const { state } = await inspectFile(storage, file)
    counts.read += 1
    if (state === 'whole') return
    counts[state] += 1
    tell(`${state}: ${file.what} (${file.key})`)
  })
  return counts
}
