import { type RawBuilder, sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type OfJob = { readonly row: RowOf<'desk_jobs'> }

/** Runs a function of the queue, which leaves out a job that runs. Throws `job_busy`. */
async function change({ tx }: Context, { row }: OfJob, work: RawBuilder<unknown>) {
  const { rows } = await sql`select from ${work}`.execute(tx)
  if (rows.length === 0) throw refuse('job_busy')
  return { task: row.task ?? '' }
}

/** Runs a job now, with all its attempts. Throws `job_busy`. */
export const retryJob = (context: Context, call: OfJob) =>
  change(
    context,
    call,
    sql`graphile_worker.reschedule_jobs(array[${call.row.id}::bigint], run_at => now(), attempts => 0)`,
  )

/** Deletes a job. Throws `recent_sign_in_required`, `job_busy`. */
export function dropJob(context: Context, call: OfJob) {
  assertRecentSignIn(context)
  return change(context, call, sql`graphile_worker.complete_jobs(array[${call.row.id}::bigint])`)
}
