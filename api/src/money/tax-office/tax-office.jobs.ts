import type { JobHelpers, Task } from 'graphile-worker'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'
import { collectDocuments } from './collect.ts'
import { type FollowParts, followSent } from './follow.ts'
import { searchUnknown } from './search-unknown.ts'
import { sendWaiting } from './send.ts'
import type { TaxOffice } from './tax-office.ts'
import { watchOffice } from './watch.ts'

export type TaxOfficeJobParts = {
  readonly pool: Pool
  readonly vault: Vault
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read'>
  readonly clock: Clock
  /** Null: no document is sent. */
  readonly taxOffice: TaxOffice | null
}

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

// The last call of a run takes up to fifteen seconds more, and a job has thirty.
const longestRunMs = 10_000

/** The job of an office: nothing without one. */
export function taxOfficeTasks(parts: TaxOfficeJobParts, bounded: Bounded) {
  const { pool, vault, storage, clock, taxOffice: office } = parts
  const db = pool.kysely
  const ofOffice = (work: (follow: FollowParts, until: number) => Promise<unknown>) =>
    bounded(async () => {
      if (office === null) return
      await work({ db, vault, storage, office, now: clock.now() }, performance.now() + longestRunMs)
    })
  /** A run whose rest is a job of its own. */
  const inRuns = (
    task: 'tax-office.send' | 'tax-office.follow' | 'tax-office.search',
    run: (follow: FollowParts, until: number) => Promise<boolean>,
  ) =>
    ofOffice(async (follow, until) => {
      if (await run(follow, until)) await enqueue(db, task, {}, { key: task })
    })
  return {
    'tax-office.send': inRuns('tax-office.send', async (follow, until) => {
      await collectDocuments(db)
      return sendWaiting(follow, until)
    }),
    'tax-office.follow': inRuns('tax-office.follow', followSent),
    'tax-office.search': inRuns('tax-office.search', searchUnknown),
    'tax-office.watch': ofOffice(({ office: one, now }) => watchOffice(db, one, now)),
  }
}
