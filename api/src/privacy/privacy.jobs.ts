import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '@portico/contract/time.ts'
import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'
import { holdJob, longestJobMs } from '#platform/jobs/release-jobs.ts'
import { sendDegradedLetter } from '#workspaces/panel-letters.ts'
import { type DataExportParts, makeExport, pruneExports } from './data-exports.ts'
import { eraseClosed } from './erase-account.ts'

const aboutExport = z.object({ exportId: z.int() })
const aboutPanel = z.object({ panelId: z.int() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

const longestLongMs = 15 * minuteMs

/**
 * Renews the lock of a long job at intervals, so that it does not count as lost; aborts it when the process
 * stops.
 */
export async function keepLocked(
  db: Database,
  { job, abortPromise }: JobHelpers,
  work: Promise<unknown>,
): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  const hold = async () => {
    for (let passed = 0; passed < longestLongMs; passed += longestJobMs / 2) {
      await sleep(longestJobMs / 2, undefined, { signal, ref: false })
      await holdJob(db, job.id)
    }
    throw new Error(`took longer than ${longestLongMs} ms`)
  }
  try {
    await Promise.race([work, hold(), abortPromise])
  } finally {
    over.abort()
    // Another promise of the race settled first, so a later failure of the work is ignored.
    work.catch(() => undefined)
  }
}

/** The jobs about a whole account; each calls one service function. */
export function accountTasks(parts: DataExportParts, bounded: Bounded) {
  const db = parts.pool.kysely
  return {
    'privacy.export': ((payload, helpers) => {
      const { exportId } = z.parse(aboutExport, payload)
      const { attempts, max_attempts } = helpers.job
      return keepLocked(db, helpers, makeExport(parts, exportId, { last: attempts >= max_attempts }))
    }) satisfies Task,
    'privacy.tend': bounded(async () => {
      await pruneExports(db, parts.clock.now())
      await eraseClosed(db, parts.clock.now())
    }),
    'panel.degraded': bounded((payload) => sendDegradedLetter(parts, z.parse(aboutPanel, payload).panelId)),
  }
}
