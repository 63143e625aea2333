import type { Permissions } from '@portico/contract/permission-object.ts'
import type { effectiveAccess } from '@portico/contract/resources/share-permissions.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { listPanels } from './client-panels.ts'
import { requestRevocation } from './panel-revocation.ts'
import { endPermission, leaveWorkspaces } from './permission-end.ts'

type Permission = RowOf<'share_permissions'>
type Sent = { readonly permissions?: Permissions }

/** The part of a permission object that is stored in the permission's own row. */
export function permissionColumns({ workspaces: _, domains: __, ...columns }: Permissions) {
  return columns
}

/** 422, the same for a missing id and for one of another owner. */
const unknown = (what: 'workspace' | 'panel' | 'domain', place: string): Problem =>
  refuse(`${what}_unknown`, {}, { source: { pointer: `/data/attributes/permissions/${place}` } })

/** Refuses workspaces and domains that the inviting client does not own. */
async function assertOwned(tx: Database, owner: number, { workspaces, domains }: Permissions): Promise<void> {
  const named = (ids: readonly number[]) => sql<number>`any(${ids}::int8[])`
  const projects = await tx
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', owner)
    .where('archived_at', 'is', null)
    .where('id', '=', named(workspaces.map(({ id }) => id)))
    .execute()
  const panels = await tx
    .selectFrom('panels')
    .select(['id', 'project_id'])
    .where('client_id', '=', owner)
    .where('deleted_at', 'is', null)
    .where('id', '=', named(workspaces.flatMap((entry) => entry.panels)))
    // Locked, because a panel that is moved concurrently would otherwise stay listed under its former
    // workspace.
    .forShare()
    .execute()
  const listed = await tx
    .selectFrom('domains')
    .select('id')
    .where('client_id', '=', owner)
    .where('id', '=', named(domains))
    .execute()
  const ofOwner = new Set(projects.map(({ id }) => id))
  const projectOf = new Map(panels.map(({ id, project_id }) => [id, project_id]))
  for (const [at, entry] of workspaces.entries()) {
    if (!ofOwner.has(entry.id)) throw unknown('workspace', `workspaces/${at}/id`)
    const stray = entry.panels.findIndex((id) => projectOf.get(id) !== entry.id)
    if (stray >= 0) throw unknown('panel', `workspaces/${at}/panels/${stray}`)
  }
  const known = new Set(listed.map(({ id }) => id))
  const stray = domains.findIndex((id) => !known.has(id))
  if (stray >= 0) throw unknown('domain', `domains/${stray}`)
}

/** Replaces the listed workspaces, panels and domains. */
async function list(tx: Database, permission: Permission, { workspaces, domains }: Permissions) {
  const { id, inviting_client_id: owner } = permission
  await tx.deleteFrom('share_permission_workspaces').where('permission_id', '=', id).execute()
  await tx.deleteFrom('share_permission_domains').where('permission_id', '=', id).execute()
  const entries = workspaces.map(({ id: project, selected, name: _, ...entry }) => ({
    ...entry,
    project,
    selected: selected === 'allowed',
  }))
  await sql`insert into share_permission_workspaces
      (permission_id, client_id, project_id, selected, show_workspace, access_type, add_panels, delete_panels)
    select ${id}, ${owner}, e.project, e.selected, e.show_workspace, e.access_type, e.add_panels, e.delete_panels
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (project int8, selected boolean,
      show_workspace boolean, access_type access_level, add_panels allow, delete_panels allow)`.execute(tx)
  await sql`insert into share_permission_panels (permission_id, project_id, panel_id)
    select ${id}, e.project, panel.id
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (project int8, panels int8[]),
      unnest(e.panels) as panel (id)`.execute(tx)
  await sql`insert into share_permission_domains (permission_id, domain_id)
    select ${id}, d.id from unnest(${domains}::int8[]) as d (id)`.execute(tx)
}

/**
 * Stores the content of a permission. Every workspace, panel and domain must be the inviting client's own:
 * 422 otherwise.
 */
export async function permissionCreated(
  { tx }: Pick<Context, 'tx'>,
  row: Permission,
  sent: Sent,
): Promise<void> {
  // Without chosen permissions nothing is listed.
  if (sent.permissions === undefined) return
  await assertOwned(tx, row.inviting_client_id, sent.permissions)
  await list(tx, row, sent.permissions)
}

/** Ends the guest's panel sessions, which have the former rights, so that they connect again. */
async function endSessions(tx: Database, { id, invited_client_id: guest }: Permission): Promise<void> {
  if (guest === null) return
  const entered = await tx
    .selectFrom('client_panels')
    .select('panel_id')
    .where('share_permission_id', '=', id)
    .where('last_connected_at', 'is not', null)
    .execute()
  await requestRevocation(
    tx,
    entered.map(({ panel_id }) => panel_id),
    guest,
  )
}

/** The lists of a permission as one text for comparison. */
async function listedIn(tx: Database, id: number): Promise<string> {
  const { rows } = await sql<{ listed: string }>`select
      coalesce((select string_agg(w::text, ' ' order by w.project_id) from share_permission_workspaces w where w.permission_id = ${id}), '')
      || '|' || coalesce((select string_agg(p.panel_id::text, ' ' order by p.panel_id) from share_permission_panels p where p.permission_id = ${id}), '')
      || '|' || coalesce((select string_agg(d.domain_id::text, ' ' order by d.domain_id) from share_permission_domains d where d.permission_id = ${id}), '')
      as listed`.execute(tx)
  return rows[0]?.listed ?? ''
}

const noted = [
  'billing',
  'tickets',
  'my_workspaces',
  'add_panels',
  'delete_panels',
  'workspace_resources',
  'account_access',
  'domain_access',
  'create_domains',
  'create_email',
  'create_dev_env',
  'expires_at',
] as const

/** Records the changes of an invited person's permission in the owner's log. */
async function noteChange(
  context: Context,
  row: Permission,
  before: Permission,
  listed: boolean,
): Promise<void> {
  const invitation = await context.tx
    .selectFrom('share_invitations')
    .select('invited_email')
    .where('permission_id', '=', row.id)
    .executeTakeFirst()
  const changed = noted.filter((field) => row[field] !== before[field])
  if (invitation === undefined || (changed.length === 0 && !listed)) return
  const pair = (field: (typeof noted)[number]): [string | null, string | null] => [before[field], row[field]]
  const permissions = Object.fromEntries(changed.map((field) => [field, pair(field)]))
  await noteAct(context, {
    kind: 'permission-changed',
    owner: row.inviting_client_id,
    about: invitation.invited_email,
    details: { permissions, listed },
  })
}

/**
 * Like `permissionCreated`; also removes what is no longer shared from the guest's list, and ends their
 * sessions in it.
 */
export async function permissionUpdated(
  context: Context,
  row: Permission,
  before: Permission,
  sent: Sent,
): Promise<void> {
  const listedBefore = await listedIn(context.tx, row.id)
  await permissionCreated(context, row, sent)
  await noteChange(context, row, before, listedBefore !== (await listedIn(context.tx, row.id)))
  await listPanels(context.tx, { permissionId: row.id })
  await endSessions(context.tx, row)
  await leaveWorkspaces(context, row.id)
}

export async function permissionRemoved(context: Context, row: Permission): Promise<void> {
  await endPermission(context, row.id, 'owner')
}

/**
 * Confirms an acceptance for older clients, without further effect. 403 to the owner; 409 for an id that is
 * not the reader's.
 */
export async function confirmGuest(
  { actor }: Pick<Context, 'actor'>,
  row: Permission,
  invited: number,
): Promise<{ status: boolean }> {
  if (row.inviting_client_id === actor.id) throw refuse('guest_only')
  if (row.invited_client_id !== invited) throw refuse('permission_accepted_by_other')
  return { status: true }
}

const isAllowed = (value: 'allowed' | 'denied'): boolean => value === 'allowed'

/** The current effect of a permission: the capabilities, and every workspace and panel that it opens. */
export async function effective(
  { tx }: Pick<Context, 'tx'>,
  row: Permission,
): Promise<z.output<typeof effectiveAccess>> {
  const workspaces = await tx
    .selectFrom('shared_workspaces as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .where('s.permission_id', '=', row.id)
    .select(['p.id', 'p.name', 's.add_panels', 's.delete_panels'])
    .orderBy('p.name')
    .execute()
  const panels = await tx
    .selectFrom('shared_panels as s')
    .innerJoin('panels as p', 'p.id', 's.panel_id')
    .where('s.permission_id', '=', row.id)
    .select(['p.id', 'p.name', 'p.project_id'])
    .orderBy('p.name')
    .execute()
  return {
    capabilities: {
      billing: isAllowed(row.billing),
      tickets: isAllowed(row.tickets),
      my_workspaces: isAllowed(row.my_workspaces),
      add_panels: isAllowed(row.add_panels),
      delete_panels: isAllowed(row.delete_panels),
      account_access: row.account_access,
      domain_access: row.domain_access,
      create_domains: isAllowed(row.create_domains),
      create_email: isAllowed(row.create_email),
      create_dev_env: isAllowed(row.create_dev_env),
    },
    workspaces: workspaces.map((one) => ({
      ...one,
      add_panels: one.add_panels === true,
      delete_panels: one.delete_panels === true,
    })),
    panels,
  }
}
