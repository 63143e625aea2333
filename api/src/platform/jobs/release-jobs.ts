import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** The maximum duration of a job; one that is locked for twice the time belongs to a dead process. */
export const longestJobMs = 30_000

/** Renews the lock of a job that may run longer than the limit. */
export async function holdJob(db: Database, id: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = now() where id = ${id} and locked_at is not null`.execute(
    db,
  )
}

/** Releases the jobs of dead processes, so that another process runs them. Returns their number. */
export async function releaseLostJobs(db: Database): Promise<number> {
  const lost = sql`locked_at < now() - ${2 * longestJobMs} * interval '1 millisecond'`
  const { rows } = await sql<{ jobs: number }>`
    with jobs as (
      update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = greatest(run_at, now())
      where ${lost} returning 1
    ), queues as (
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null where ${lost}
    )
    select count(*)::int as jobs from jobs`.execute(db)
  return rows[0]?.jobs ?? 0
}
