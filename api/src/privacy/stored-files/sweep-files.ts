import { dayMs } from '@portico/contract/time.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { namedKeys } from './file-names.ts'

/** Longer than any upload, and any job that creates a file. */
const keptIncomingMs = dayMs
/** A database restored from a backup within this time still finds every file that it references. */
const keptOrphanMs = 7 * dayMs

/** A larger number indicates a wrong database or storage, and not leftovers of ended processes. */
const mostOrphans = 100
// The rows are scanned once per batch.
const askedAtOnce = 5000

// Other keys are deterministic and reused by their creator, so a row may reference one at any moment.
const randomKey = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type Sweeper = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'list' | 'remove' | 'sweepIncoming'>
}

/** Removes incomplete uploads of ended processes on this machine; returns the number of files. */
export const sweepIncoming = ({ storage }: Pick<Sweeper, 'storage'>, now: Date): Promise<number> =>
  storage.sweepIncoming(new Date(now.getTime() - keptIncomingMs))

/**
 * Files older than a week that no row references. The storage is read before the rows, so that a concurrent
 * upload already has its row; and no new row references a file of a week ago.
 */
async function orphansOf({ storage }: Sweeper, db: Database, now: Date): Promise<string[]> {
  const before = now.getTime() - keptOrphanMs
  const orphans: string[] = []
  let batch: string[] = []
  const look = async () => {
    const names = await namedKeys(db, batch)
    orphans.push(...batch.filter((key) => !names.has(key)))
    batch = []
  }
  for await (const { key, writtenAt } of storage.list()) {
    if (!(writtenAt.getTime() < before && randomKey.test(key))) continue
    batch.push(key)
    if (batch.length >= askedAtOnce) await look()
    if (orphans.length > mostOrphans) break
  }
  if (batch.length > 0) await look()
  return orphans
}

/**
 * Removes leftovers of killed processes: incomplete files after a day, and unreferenced files after a week.
 * If the latter are more than a hundred, none is removed, and staff are alerted. `tell` receives a sentence
 * about each result.
 */
export async function sweepFiles(
  sweeper: Sweeper,
  now: Date,
  tell: (sentence: string) => void,
): Promise<void> {
  const { pool, storage } = sweeper
  const incoming = await sweepIncoming(sweeper, now)
  const orphans = await orphansOf(sweeper, pool.kysely, now)
  if (orphans.length > mostOrphans) {
    const example = orphans[0]
    if (await alertStaff(pool.kysely, 'files', 'files_without_rows', { more_than: mostOrphans, example }))
      tell(`More than ${mostOrphans} stored files are unreferenced, so none was removed.`)
    return
  }
  for (const key of orphans) await storage.remove(key)
  if (incoming + orphans.length > 0)
    tell(`Removed leftovers: ${incoming} incomplete files, ${orphans.length} unreferenced files.`)
}
