import { type SqlBool, sql } from 'kysely'
import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

/** A job that has used all its attempts. */
export type DeadJob = {
  readonly id: string
  readonly task: string
  readonly attempts: number
  readonly failed_at: string
  readonly last_error: string | null
}

/** SQL: a row of `graphile_worker.jobs`, by its alias, has used all its attempts and does not run. */
export const isDead = (job: string) =>
  sql<SqlBool>`(${sql.ref(`${job}.attempts`)} >= ${sql.ref(`${job}.max_attempts`)} and ${sql.ref(`${job}.locked_at`)} is null)`

const dead = isDead('j')

export async function deadJobs(db: Database): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select j.id::text, j.task_identifier as task, j.attempts, j.updated_at::text as failed_at, j.last_error
    from graphile_worker.jobs j where ${dead} order by j.updated_at, j.id`.execute(db)
  return rows
}

/** Resets dead jobs for an immediate retry, one or all. Returns their number. */
export async function retryJobs(db: Database, id?: string): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.reschedule_jobs(
      array(select j.id from graphile_worker.jobs j where ${dead} and (${id ?? null}::bigint is null or j.id = ${id ?? null}::bigint)),
      run_at => now(), attempts => 0)`.execute(db)
  return rows.length
}

type Case = { readonly task: string; readonly jobs: number; readonly last_error: string | null }

/**
 * Alerts staff of dead jobs, once for each task, and resolves the alerts of tasks that have none any more. A
 * scheduled task repeats by itself, and alerts when an hour has not helped.
 */
export async function watchJobs(db: Database): Promise<void> {
  const { rows } = await sql<Case>`
    select j.task_identifier as task, count(*)::int as jobs,
      (array_agg(j.last_error order by j.updated_at desc))[1] as last_error
    from graphile_worker.jobs j
    where ${dead} and (j.key is distinct from j.task_identifier or j.updated_at < now() - interval '1 hour')
    group by 1 order by 1`.execute(db)
  for (const { task, jobs, last_error } of rows)
    await alertStaff(db, task, 'job_failed', { jobs, last_error: last_error?.split('\n')[0] ?? null })
  await resolveOthers(
    db,
    'job_failed',
    rows.map(({ task }) => task),
  )
}
