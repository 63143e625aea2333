import { type SsoScope, ssoScope } from '@portico/contract/engine/wire.ts'
import type { Actor, Context, OutsideContext, RowOf } from '#platform/context.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { accessOfStaff, noteConnected } from '#sharing/staff-access.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import type { Engines, SsoAsk } from '#workspaces/engines/panel-engine.ts'
import { staffSubjectOf, subjectOf } from '#workspaces/engines/subjects.ts'

declare module '#platform/context.ts' {
  interface Ports {
    readonly engines: Engines
  }
}

type Panel = RowOf<'panels'>

/** The life of a link, in seconds. */
const linkSeconds = 60

type Rights = Pick<SsoAsk, 'role' | 'scopes' | 'domains'>

const ownerRights: Rights = { role: 'owner', scopes: ssoScope.options, domains: null }

/** Staff with granted access have full rights, but are never the owner. */
const staffRights: Rights = { role: 'guest', scopes: ssoScope.options, domains: null }

type Permission = Pick<
  RowOf<'share_permissions'>,
  'account_access' | 'domain_access' | 'create_domains' | 'create_email' | 'create_dev_env'
>

/** A guest's rights inside a panel by their permission; `domains` are those of the panel that it names. */
export function guestRights(permission: Permission, domains: readonly string[]): Rights {
  const has: Record<SsoScope, boolean> = {
    account_access: permission.account_access !== 'none',
    domain_access: permission.domain_access !== 'none',
    create_domains: permission.create_domains === 'allowed',
    create_email: permission.create_email === 'allowed',
    create_dev_env: permission.create_dev_env === 'allowed',
  }
  return {
    role: 'guest',
    scopes: ssoScope.options.filter((scope) => has[scope]),
    // Null means all; individual access lists domains, and no access lists none.
    domains: permission.domain_access === 'all' ? null : domains,
  }
}

/** The active permission by which a guest has access to a panel. */
async function permissionOf(tx: Database, actor: Actor, panelId: number) {
  const ids = actor.grants.map(({ id }) => id)
  return tx
    .selectFrom('shared_panels as s')
    .innerJoin('share_permissions as p', 'p.id', 's.permission_id')
    .select(aliased('p', columns.share_permissions))
    .where('s.panel_id', '=', panelId)
    .where('p.id', 'in', ids.length > 0 ? ids : [0])
    .executeTakeFirst()
}

/**
 * The actor's rights inside a panel. Throws `not_found` when they no longer have access,
 * `panel_access_not_granted` for staff without the owner's grant.
 */
async function effectiveRights({ tx, actor, now }: Context, panel: Panel): Promise<Rights> {
  if (actor.staff) {
    await accessOfStaff({ tx, now }, { admin: actor.staff.id, panel: panel.id })
    return staffRights
  }
  if (panel.client_id === actor.id) return ownerRights
  const permission = await permissionOf(tx, actor, panel.id)
  if (!permission) throw refuse('not_found', { type: 'panels' })
  const named = await tx
    .selectFrom('share_permission_domains as d')
    .innerJoin('panel_resources as r', 'r.id', 'd.domain_id')
    .select('r.external_id')
    .where('d.permission_id', '=', permission.id)
    .where('r.panel_id', '=', panel.id)
    .where('r.gone_at', 'is', null)
    .orderBy('r.external_id')
    .execute()
  return guestRights(
    permission,
    permission.domain_access === 'custom' ? named.map(({ external_id }) => external_id) : [],
  )
}

/** The engine's id of a panel that people can work with. Throws `panel_suspended`, `panel_not_ready`. */
export function enterable({ status, external_id }: Panel): string {
  if (status === 'suspended') throw refuse('panel_suspended')
  if (external_id === null || !['active', 'degraded'].includes(status)) throw refuse('panel_not_ready')
  return external_id
}

/** The person's name at the engine, and the record of their access. */
async function personOf({ tx, actor, now }: Context, panelId: number, role: Rights['role']) {
  if (actor.staff) {
    const admin = actor.staff.id
    const { id } = await accessOfStaff({ tx, now }, { admin, panel: panelId })
    const { display_name } = await tx
      .selectFrom('admins')
      .select('display_name')
      .where('id', '=', admin)
      .executeTakeFirstOrThrow()
    const person = { admin_id: admin, staff_access_id: id, role: 'staff' }
    return { person, subject: staffSubjectOf(admin), displayName: `${display_name} (support)` }
  }
  const client = await tx
    .selectFrom('clients')
    .select(['first_name', 'last_name'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  const displayName = `${client.first_name} ${client.last_name}`.trim()
  return { person: { client_id: actor.id, role }, subject: subjectOf(actor.id), displayName }
}

/** Records the person and their rights, and returns the arguments of the engine call. */
async function prepareGrant(context: Context, panelId: number) {
  const { tx, ip, now, vault, see } = context
  await see('panels', panelId)
  const panel = await tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('id', '=', panelId)
    .executeTakeFirstOrThrow()
  const externalId = enterable(panel)
  const access = await engineAccess({ db: tx, vault }, { id: panel.panel_engine_id })
  if (!access) throw refuse('engine_out_of_use')
  if (!access.capabilities.sso) throw refuse('engine_without_links')
  const rights = await effectiveRights(context, panel)
  const { person, ...named } = await personOf(context, panelId, rights.role)
  const { id: grantId } = await tx
    .insertInto('sso_grants')
    .values({
      panel_id: panelId,
      ...person,
      scopes: [...rights.scopes],
      domains: rights.domains && [...rights.domains],
      ip,
      asked_at: now.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ask: SsoAsk = {
    ...rights,
    ...named,
    clientIp: ip,
    ttlSeconds: linkSeconds,
  }
  return { panel, externalId, access, ask, rights, grantId }
}

type PreparedGrant = Awaited<ReturnType<typeof prepareGrant>>

/** Returns the link, unless the person's rights changed during the engine call. */
async function confirmGrant(context: Context, { panel, grantId, rights }: PreparedGrant, expires_at: string) {
  const { tx, actor, now, see } = context
  await see('panels', panel.id)
  const still = await effectiveRights(context, panel)
  if (JSON.stringify(still) !== JSON.stringify(rights)) throw refuse('panel_rights_changed')
  await tx.updateTable('sso_grants').set({ expires_at }).where('id', '=', grantId).execute()
  if (actor.staff) {
    const admin_id = actor.staff.id
    const { ticket_id } = await accessOfStaff(context, { admin: admin_id, panel: panel.id })
    await noteConnected(context, { ticket_id, admin_id })
  }
  await tx
    .updateTable('client_panels')
    .set({ last_connected_at: now.toISOString() })
    .where('client_id', '=', actor.id)
    .where('panel_id', '=', panel.id)
    .execute()
}

/**
 * A single-use link into a panel at its engine, valid for a minute, with the actor's current rights. The
 * person, panel, rights and origin are recorded before the engine is called. Throws `panel_suspended`,
 * `panel_not_ready` and `panel_rights_changed`; `engine_unavailable` when the engine returns no link.
 */
export async function connectPanel(
  outsideContext: OutsideContext,
  { row }: { readonly row: Panel },
): Promise<{ url: string; expires_at: string }> {
  const prepared = await outsideContext.within((context) => prepareGrant(context, row.id))
  const { url, expiresAt } = await outsideContext.ports.engines
    .open(prepared.access)
    .createSsoLink(prepared.externalId, prepared.ask)
    .catch((cause: unknown) => {
      throw refuse('engine_unavailable', {}, { cause })
    })
  await outsideContext.within((context) => confirmGrant(context, prepared, expiresAt))
  return { url, expires_at: expiresAt }
}
