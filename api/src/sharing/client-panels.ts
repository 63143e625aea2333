import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { requestRevocation } from './panel-revocation.ts'
import { endPermission } from './permission-end.ts'

type Panel = Pick<RowOf<'panels'>, 'id' | 'project_id' | 'client_id'>

/** The scope of an update of guests' panel lists: one permission, or one panel for all its guests. */
type Cause = { readonly permissionId: number } | { readonly panelId: number }

/**
 * Updates guests' panel lists to their current permissions. Settings of remaining panels are kept; sessions
 * in removed panels are ended. The lists themselves grant nothing.
 */
export async function listPanels(tx: Database, cause: Cause): Promise<void> {
  const [column, other, id] =
    'panelId' in cause
      ? (['panel_id', 'panel_id', cause.panelId] as const)
      : (['share_permission_id', 'permission_id', cause.permissionId] as const)
  const { rows: closed } = await sql<{ panel_id: number; client_id: number }>`
    delete from client_panels c where c.${sql.ref(column)} = ${id} and not exists (
      select from shared_panels s where s.permission_id = c.share_permission_id and s.panel_id = c.panel_id)
    returning c.panel_id, c.client_id`.execute(tx)
  for (const { panel_id, client_id } of closed) await requestRevocation(tx, [panel_id], client_id)
  await sql`insert into client_panels (client_id, owner_id, share_permission_id, panel_id)
    select s.guest_id, s.owner_id, s.permission_id, s.panel_id from shared_panels s
    where s.${sql.ref(other)} = ${id} and s.guest_id is not null order by s.project_id, s.panel_id
    on conflict do nothing`.execute(tx)
}

/**
 * Lists a new panel for every guest with access. A guest with access to single panels of the workspace gains
 * access to a panel that they add.
 */
export async function panelAdded({ tx, actor }: Pick<Context, 'tx' | 'actor'>, panel: Panel): Promise<void> {
  if (panel.client_id !== actor.id)
    await sql`insert into share_permission_panels (permission_id, project_id, panel_id)
      select s.permission_id, s.project_id, ${panel.id} from shared_workspaces s
      where s.permission_id = any(${actor.grants.map(({ id }) => id)}) and s.project_id = ${panel.project_id}
        and s.access_type = 'custom'`.execute(tx)
  await listPanels(tx, { panelId: panel.id })
}

/**
 * Updates lists after a panel moved to another workspace: access to it by name ends, other access follows the
 * permissions.
 */
export async function panelMoved({ tx }: Pick<Context, 'tx'>, panel: Panel, before: Panel): Promise<void> {
  if (panel.project_id === before.project_id) return
  await tx.deleteFrom('share_permission_panels').where('panel_id', '=', panel.id).execute()
  await listPanels(tx, { panelId: panel.id })
}

/** Confirms to the invited person which panels a permission lists. 403 to its owner, 404 to anybody else. */
export async function confirmPanels(
  { tx, actor }: Context,
  permissionId: number,
): Promise<{ status: boolean; client_panels: { id: number; panel_id: number }[] }> {
  const permission = await tx
    .selectFrom('share_permissions')
    .select(['inviting_client_id', 'invited_client_id'])
    .where('id', '=', permissionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const isGuest = actor.grants.some(({ id }) => id === permissionId)
  if (permission?.inviting_client_id === actor.id) throw refuse('guest_only')
  if (permission === undefined || !isGuest) throw refuse('not_found', { type: 'share-permissions' })
  await listPanels(tx, { permissionId })
  const listed = await tx
    .selectFrom('client_panels')
    .select(['id', 'panel_id'])
    .where('share_permission_id', '=', permissionId)
    .where('client_id', '=', actor.id)
    .orderBy('id')
    .execute()
  return { status: true, client_panels: listed }
}

/** Ends all sharing from the panel's owner to this guest. */
export async function leave(context: Context, row: RowOf<'client_panels'>): Promise<void> {
  await endPermission(context, row.share_permission_id, 'guest')
}
