import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { notifyOfAlert } from '../services/alert-notices.ts'
import { watchJobs } from '../services/dead-jobs.ts'
import type { Outside } from '../services/panel-engines.ts'
import { releaseLostJobs } from '../services/release-jobs.ts'

const aboutAlert = z.object({ alertId: z.int() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** What the jobs do for staff and for the queue itself: each a line to a service. */
export function staffTasks({ pool, vault }: Outside, bounded: Bounded) {
  const db = pool.kysely
  return {
    'staff.alert': bounded((payload) => notifyOfAlert({ db, vault }, z.parse(aboutAlert, payload).alertId)),
    'jobs.release': bounded(() => releaseLostJobs(db)),
    'jobs.watch': bounded(() => watchJobs(db)),
  }
}
