import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { oldestWorkspace } from '#sharing/oldest-workspace.ts'

/** Makes a new workspace its owner's current one. */
export async function projectCreated({ tx }: Pick<Context, 'tx'>, project: RowOf<'projects'>): Promise<void> {
  await tx
    .updateTable('clients')
    .set({ current_project_id: project.id })
    .where('id', '=', project.client_id)
    .execute()
}

/** Adds a workspace to an account outside a request, for a seed. */
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
 * Archives a workspace: it leaves every list, its history stays. Throws `workspace_holds_panels`,
 * `workspace_panel_deleting` while a panel is still being deleted, and `workspace_last`. People whose current
 * workspace it was switch to the oldest of their own.
 */
export async function archiveProject({ tx, now }: Context, project: RowOf<'projects'>): Promise<void> {
  // The owner's row is the lock: otherwise two concurrent deletions could remove the last two workspaces.
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
  // Guests may have it as their current workspace too; each switches to the oldest of their own.
  await sql`update clients c set current_project_id = ${oldestWorkspace}
    where c.current_project_id = ${project.id}`.execute(tx)
}
