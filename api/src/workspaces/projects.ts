import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { oldestWorkspace } from '#sharing/oldest-workspace.ts'

/** A new workspace becomes the one its owner works in (seed, section 4). */
export async function projectCreated({ tx }: Pick<Context, 'tx'>, project: RowOf<'projects'>): Promise<void> {
  await tx
    .updateTable('clients')
    .set({ current_project_id: project.id })
    .where('id', '=', project.client_id)
    .execute()
}

/** Adds a workspace to an account without a request, as a set-up does. */
export async function addProject(tx: Database, clientId: number, name: string): Promise<RowOf<'projects'>> {
  const project = await tx
    .insertInto('projects')
    .values({ client_id: clientId, name })
    .returning(columns.projects)
    .executeTakeFirstOrThrow()
  await projectCreated({ tx }, project)
  return project
}

/**
 * Archives a workspace: it leaves every list, its history stays. Refused while it holds panels (`workspace_holds_panels`), also
 * those that are still being deleted (`workspace_panel_deleting`), and when it is the owner's last (`workspace_last`). Whoever
 * worked in it works in the oldest of their own.
 */
export async function archiveProject({ tx, now }: Context, project: RowOf<'projects'>): Promise<void> {
  // The owner's row is the lock: two deletions at once cannot both leave "one other" workspace behind.
  await tx.selectFrom('clients').select('id').where('id', '=', project.client_id).forNoKeyUpdate().execute()
  const panels = await tx
    .selectFrom('panels')
    .select('status')
    .where('project_id', '=', project.id)
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute()
  if (panels.some(({ status }) => status !== 'deleting')) throw refuse('workspace_holds_panels')
  if (panels.length > 0) throw refuse('workspace_panel_deleting')
  const other = await tx
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', project.client_id)
    .where('id', '<>', project.id)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (!other) throw refuse('workspace_last')
  await tx
    .updateTable('projects')
    .set({ archived_at: now.toISOString() })
    .where('id', '=', project.id)
    .execute()
  // Guests, too, may have worked in it; each goes to the oldest workspace of their own.
  await sql`update clients c set current_project_id = ${oldestWorkspace}
    where c.current_project_id = ${project.id}`.execute(tx)
}
