import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { dropRefused, storageFailed } from '#platform/files/stored-files.ts'
import { type ExportPart, type Packed, packParts } from './pack-parts.ts'

type Parts = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'remove'>
}

/** A packed file under its key in the storage. */
export type Kept = Packed & { readonly key: string }

/** How a row that waits for a packed file follows it. */
type Packing = {
  /** The files to pack, in order. */
  readonly partsOf: () => Promise<readonly ExportPart[]>
  /** Records how many are packed. */
  readonly progress: (done: number) => Promise<unknown>
  /** Records the file; false when the row does not wait for it any more, and it is removed. */
  readonly finish: (made: Kept) => Promise<boolean>
  /** Records that it failed; only the last attempt has it. */
  readonly fail: (() => Promise<unknown>) | undefined
}

/** The interval of progress updates in milliseconds; more often is not visible. */
const progressEveryMs = 250

/** Calls at intervals, without delaying what goes on. */
function atTimes(report: (done: number) => Promise<unknown>): (done: number) => void {
  let reportedAt = 0
  return (done) => {
    if (performance.now() - reportedAt < progressEveryMs) return
    reportedAt = performance.now()
    // A failed progress update is harmless: completion is recorded separately.
    report(done).catch(() => undefined)
  }
}

/** Packs a file, keeps it in the storage, and records it. A repetition starts over, because half a file is useless. */
export async function packAndKeep({ pool, storage }: Parts, packing: Packing): Promise<void> {
  const { partsOf, progress, finish, fail } = packing
  const key = randomUUID()
  const file = path.join(storage.incoming, key)
  const making = async () => {
    const packed = await packParts(file, await partsOf(), atTimes(progress))
    await storage.keep(key, file)
    if (!(await finish({ key, ...packed }))) await storage.remove(key)
  }
  await making()
    .catch(storageFailed(pool.kysely))
    .catch(async (error: unknown) => {
      await dropRefused(storage, key, error)
      await fail?.()
      throw error
    })
    .finally(() => fs.rm(file, { force: true }))
}
