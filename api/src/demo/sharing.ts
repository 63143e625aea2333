import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { dayMs } from '@portico/contract/time.ts'
import type { Context } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { completeAcceptance } from '#sharing/accept-invitation.ts'
import { invitationCreated, newInvitation } from '#sharing/invitations.ts'
import { permissionColumns, permissionCreated } from '#sharing/permissions.ts'

type Work = Pick<Context, 'tx' | 'vault' | 'now'>
type Invited = { readonly first: string; readonly last: string; readonly email: string }

async function clientOf(tx: Database, email: string): Promise<number> {
  const { id } = await tx
    .selectFrom('clients')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

/** Invites a person some days ago, by the same two steps as the screen. */
async function invite(
  work: Work,
  owner: number,
  invited: Invited,
  permissions: Permissions,
  daysAgo: number,
) {
  const { tx } = work
  const then = { ...work, now: new Date(work.now.getTime() - daysAgo * dayMs) }
  const created_at = then.now.toISOString()
  const permission = await tx
    .insertInto('share_permissions')
    .values({ ...permissionColumns(permissions), inviting_client_id: owner, created_at })
    .returning(columns.share_permissions)
    .executeTakeFirstOrThrow()
  await permissionCreated(then, permission, { permissions })
  const invitation = await tx
    .insertInto('share_invitations')
    .values({
      ...newInvitation({ actor: { id: owner }, now: then.now }),
      permission_id: permission.id,
      first_name: invited.first,
      last_name: invited.last,
      invited_email: invited.email,
      created_at,
    })
    .returning(columns.share_invitations)
    .executeTakeFirstOrThrow()
  await invitationCreated(then, invitation)
  return invitation
}

/** Two panels of one workspace, with the right to add panels, and the tickets. */
async function forMihai(tx: Database, owner: number): Promise<Permissions> {
  const panels = await tx
    .selectFrom('panels')
    .select(['id', 'project_id'])
    .where('client_id', '=', owner)
    .where('name', 'in', ['web-eu1', 'shop-cluster'])
    .orderBy('id')
    .execute()
  return {
    ...defaultPermissions,
    tickets: 'allowed',
    add_panels: 'allowed',
    workspace_resources: 'custom',
    workspaces: panels.slice(0, 1).map(({ project_id }) => ({
      id: project_id,
      selected: 'allowed',
      show_workspace: true,
      access_type: 'custom',
      add_panels: 'allowed',
      delete_panels: 'denied',
      panels: panels.map(({ id }) => id),
    })),
  }
}

/** Ana's permissions: Mihai, accepted; Elena, unanswered; Bogdan, with an expired link. */
export async function shareDemo(work: Work): Promise<void> {
  const { tx } = work
  const ana = await clientOf(tx, 'ana@demo.test')
  const mihai = { first: 'Mihai', last: 'Dobre', email: 'mihai@demo.test' }
  const accepted = await invite(work, ana, mihai, await forMihai(tx, ana), 40)
  const answered = new Date(work.now.getTime() - 39 * dayMs)
  await completeAcceptance({ ...work, now: answered }, accepted, await clientOf(tx, mihai.email))
  const elena = { first: 'Elena', last: 'Popescu', email: 'elena@demo.test' }
  await invite(work, ana, elena, { ...defaultPermissions, billing: 'allowed', my_workspaces: 'denied' }, 2)
  const bogdan = { first: 'Bogdan', last: 'Ionescu', email: 'bogdan@demo.test' }
  await invite(work, ana, bogdan, defaultPermissions, 20)
}
