import { dayMs } from '@portico/contract/time.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { namedKeys } from './file-names.ts'

/** No upload, and no job that makes a file, takes as long. */
const keptIncomingMs = dayMs
/** A restore that is repeated within this time finds every file that its database names. */
const keptOrphanMs = 7 * dayMs

/** Beyond this it is not leftovers of ended processes, but a database or a storage that is not the right one. */
const mostOrphans = 100
// Rows are read through once for each lot.
const askedAtOnce = 5000

// Other keys are used again by who makes the file, so that a row may name one at any moment.
const randomKey = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type Sweeper = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'list' | 'remove' | 'sweepIncoming'>
}

/** Removes what uploads left behind on this machine whose process ended; returns how many files. */
export const sweepIncoming = ({ storage }: Pick<Sweeper, 'storage'>, now: Date): Promise<number> =>
  storage.sweepIncoming(new Date(now.getTime() - keptIncomingMs))

/**
 * The files that are older than a week and that no row names. The storage is read first and the rows afterwards, so that a
 * file of an upload that ends meanwhile has its row; and no row begins to name a file of a week ago.
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
 * Removes what killed processes left behind: files that did not arrive, after a day, and files that no row names, after a week.
 * Of more than a hundred of the latter none is removed, and staff are alerted. `tell` gets a sentence when there was anything.
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
      tell(`More than ${mostOrphans} stored files are named by no row, so none was removed.`)
    return
  }
  for (const key of orphans) await storage.remove(key)
  if (incoming + orphans.length > 0)
    tell(`Removed leftovers: ${incoming} files that did not arrive, ${orphans.length} that no row names.`)
}
