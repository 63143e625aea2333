import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { releaseLostJobs } from '#platform/jobs/release-jobs.ts'
import type { Vault } from '#platform/vault.ts'
import { notifyOfAlert, notifyOfMissedAlerts } from './alert-notices.ts'
import { watchJobs } from './dead-jobs.ts'
import { toldLogDays } from './log-digest.ts'

const aboutAlert = z.object({ alertId: z.int() })

type Parts = { readonly pool: Pool; readonly vault: Vault; readonly clock: Clock }

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** The jobs for staff and for the queue itself; each calls one service function. */
export function staffTasks({ pool, vault, clock }: Parts, bounded: Bounded) {
  const db = pool.kysely
  return {
    'staff.alert': bounded((payload) => notifyOfAlert({ db, vault }, z.parse(aboutAlert, payload).alertId)),
    'staff.digest': bounded(async (_, { logger }) => {
      for await (const says of toldLogDays(db, clock.now()))
        logger.info('The log of staff of a day.', { says })
    }),
    'staff.missed-alerts': bounded(() => notifyOfMissedAlerts({ db, vault })),
    'jobs.release': bounded(() => releaseLostJobs(db)),
    'jobs.watch': bounded(() => watchJobs(db)),
  }
}
