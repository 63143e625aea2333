import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/** No job runs longer than this; one that is still taken after twice the time was taken by a process that died. */
export const longestJobMs = 30_000

/** Gives jobs back whose process died while it held them, so that another one runs them. Returns how many processes. */
export async function releaseLostJobs(db: Database): Promise<number> {
  const { rows } = await sql<{ lost: number }>`
    with lost as (
      select array_agg(distinct locked_by) as workers
      from graphile_worker._private_jobs
      where locked_at < now() - ${2 * longestJobMs} * interval '1 millisecond'
    )
    select coalesce(cardinality(workers), 0)::int as lost, graphile_worker.force_unlock_workers(workers) from lost`.execute(db)
  return rows[0]?.lost ?? 0
}
