import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { releaseLostJobs } from '#platform/jobs/release-jobs.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { notifyOfAlert } from './alert-notices.ts'
import { watchJobs } from './dead-jobs.ts'

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
