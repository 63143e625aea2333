import type { shareInvitations } from '@portico/contract/resources/share-invitations.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import { notify } from '#notifications/notifications.ts'
import type { Context } from '#platform/context.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { listPanels } from './client-panels.ts'
import { companyOf, hashOf, type Invitation, type Work } from './invitations.ts'
import { endPermission, writeAbout } from './permission-end.ts'

type Actions = typeof shareInvitations.actions

/**
 * The invitation of a link. 404 for an unknown token, 409 when it was accepted, 410 when the link or its
 * permission has expired.
 */
async function invitationOf({ tx, now }: Pick<Context, 'tx' | 'now'>, token: string, held: boolean) {
  const found = tx
    .selectFrom('share_invitations as i')
    .innerJoin('share_permissions as p', 'p.id', 'i.permission_id')
    .innerJoin('clients as o', 'o.id', 'i.client_id')
    .leftJoin('client_entities as e', 'e.client_id', 'i.client_id')
    .where('i.token_hash', '=', hashOf(token))
    .select(aliased('i', columns.share_invitations))
    .select(['o.first_name as owner_first_name', 'o.last_name as owner_last_name', 'p.expires_at'])
    .select(companyOf('e').as('inviter_company'))
  const row = await (held ? found.forNoKeyUpdate(['i', 'p']) : found).executeTakeFirst()
  if (row === undefined) throw refuse('invitation_unknown')
  if (row.accepted) throw refuse('invitation_accepted')
  const isOver = (moment: string | null) => moment !== null && Date.parse(moment) <= now.getTime()
  if (isOver(row.link_expires_at) || isOver(row.expires_at)) throw refuse('invitation_expired')
  return { ...row, inviter_name: `${row.owner_first_name} ${row.owner_last_name}` }
}

/** The parties and the content of an invitation, for the holder of the link. Fails as `invitationOf` does. */
export async function preview(
  context: Pick<Context, 'tx' | 'now'>,
  token: string,
): Promise<z.input<Actions['preview']['output']>> {
  const { tx } = context
  const invitation = await invitationOf(context, token, false)
  const permission = await tx
    .selectFrom('share_permissions')
    .where('id', '=', invitation.permission_id)
    .select(['billing', 'tickets', 'my_workspaces', 'add_panels', 'delete_panels', 'workspace_resources'])
    .select(['account_access', 'domain_access', 'create_domains', 'create_email', 'create_dev_env'])
    .select((eb) =>
      eb
        .selectFrom('share_permission_domains as d')
        .whereRef('d.permission_id', '=', 'share_permissions.id')
        .select(eb.fn.countAll<number>().as('count'))
        .as('domains'),
    )
    .executeTakeFirstOrThrow()
  const workspaces = await sql<{ name: string; access_type: 'custom' | 'all'; panel_names: string[] }>`
    select w.name, s.access_type, array(
      select p.name from shared_panels o join panels p on p.id = o.panel_id
      where o.permission_id = s.permission_id and o.project_id = w.id order by p.name) as panel_names
    from shared_workspaces s join projects w on w.id = s.project_id
    where s.permission_id = ${invitation.permission_id} and s.workspace_resources = 'custom'
    order by w.name`.execute(tx)
  const { inviter_name, inviter_company, first_name, last_name, invited_email, link_expires_at } = invitation
  return {
    inviter_name,
    inviter_company,
    first_name,
    last_name,
    invited_email,
    link_expires_at,
    permissions: {
      ...permission,
      domains: permission.domains ?? 0,
      workspaces: workspaces.rows.map((one) => ({ ...one, panels: one.panel_names.length })),
    },
  }
}

/** Whether the invited address is the signed-in person's: an exact match except for case. */
async function isInvited(tx: Database, clientId: number, email: string): Promise<boolean> {
  const same = await tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId)
    .where('email', '=', email)
    .executeTakeFirst()
  return same !== undefined
}

/** Requires that the person has no permission from this owner yet. An expired one is replaced. */
async function assertFirst(context: Work, owner: number, guest: number): Promise<void> {
  const { tx, now } = context
  const other = await tx
    .selectFrom('share_permissions')
    .select(['id', 'expires_at'])
    .where('inviting_client_id', '=', owner)
    .where('invited_client_id', '=', guest)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (other === undefined) return
  if (other.expires_at === null || Date.parse(other.expires_at) > now.getTime())
    throw refuse('account_shared_already')
  // Recorded as the owner's act: the guest only triggers it.
  await endPermission({ tx, now, vault: context.vault }, other.id, 'owner')
}

/**
 * Completes an acceptance: assigns the permission to the guest, lists its panels, and notifies the owner. 409
 * when the owner already shares with them.
 */
export async function completeAcceptance(
  context: Work,
  { id, client_id, permission_id }: Pick<Invitation, 'id' | 'client_id' | 'permission_id'>,
  guest: number,
): Promise<void> {
  const { tx, now } = context
  await assertFirst(context, client_id, guest)
  await tx
    .updateTable('share_permissions')
    .set({ invited_client_id: guest })
    .where('id', '=', permission_id)
    .execute()
  await tx
    .updateTable('share_invitations')
    .set({ accepted: true, accepted_at: now.toISOString(), accepted_by_client_id: guest })
    .where('id', '=', id)
    .execute()
  await listPanels(tx, { permissionId: permission_id })
  const { first_name, last_name } = await tx
    .selectFrom('clients')
    .select(['first_name', 'last_name'])
    .where('id', '=', guest)
    .executeTakeFirstOrThrow()
  const name = `${first_name} ${last_name}`
  await notify(tx, client_id, { kind: 'invitation_accepted', about: id, params: { name } })
  await writeAbout(context, 'invitation-accepted', { to: client_id, about: guest })
}

/**
 * Accepts the invitation of a link for the signed-in person. An invitation to another address is refused with
 * that reason. Fails as `invitationOf` and `completeAcceptance` do; 409 also for one's own.
 */
export async function accept(
  context: Context,
  token: string,
): Promise<z.input<Actions['acceptInvitation']['output']>> {
  const { tx, actor } = context
  const invitation = await invitationOf(context, token, true)
  const { id, client_id, permission_id, first_name, last_name, invited_email, inviter_name } = invitation
  if (!(await isInvited(tx, actor.id, invited_email)))
    return { status: false, reason: 'email_mismatch', share_invitation: { invited_email } }
  if (client_id === actor.id) throw refuse('invitation_own')
  await completeAcceptance(context, invitation, actor.id)
  await noteAct(context, { kind: 'invitation-accepted', owner: client_id, about: invited_email })
  return {
    status: true,
    share_invitation: {
      id,
      client_id,
      permission_id,
      first_name,
      last_name,
      invited_email,
      accepted: true,
      accepted_by_client_id: actor.id,
      inviter_name,
    },
  }
}
