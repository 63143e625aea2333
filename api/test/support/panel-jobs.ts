import type { Task } from 'graphile-worker'
import { sql } from 'kysely'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { panelTasks } from '#workspaces/engines/panels.jobs.ts'

type Name = keyof ReturnType<typeof panelTasks>

/** Runs the queued jobs about panels once, in their order and also those of later, and returns their names. */
export async function runPanelJobs(outside: Outside): Promise<string[]> {
  const db = outside.pool.kysely
  const work = panelTasks(outside, (run) => async (payload, helpers) => void (await run(payload, helpers)))
  const { rows } = await sql<{ task: Name; payload: unknown }>`
    select t.identifier as task, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier like 'panel.%' order by j.id`.execute(
    db,
  )
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  const logger = { warn: () => undefined }
  // Only the attempts of the job and the log are used.
  const helpers = { job: { attempts: 1, max_attempts: 10 }, logger } as unknown as Parameters<Task>[1]
  for (const { task, payload } of rows) await work[task](payload, helpers)
  return rows.map(({ task }) => task)
}
