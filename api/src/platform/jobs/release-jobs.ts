import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** No job runs longer than this; one that is still taken after twice the time was taken by a process that died. */
export const longestJobMs = 30_000

/** Says that a job is still being worked on, for one that takes longer than others may. */
export async function holdJob(db: Database, id: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = now() where id = ${id} and locked_at is not null`.execute(
    db,
  )
}

/** Gives jobs back whose process died while it held them, so that another one runs them. Returns how many. */
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
