import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { type Permissions, type WorkspaceEntry, workspaceEntry } from '@portico/contract/permission-object.ts'
import * as z from 'zod/mini'
import type { Pool } from '#platform/db/pool.ts'
import { listPanels } from '#sharing/client-panels.ts'
import { permissionColumns, permissionCreated } from '#sharing/permissions.ts'

export type Shared = { readonly permission: number; readonly invitation: number }

/** A workspace that is opened: the whole of it, and nothing to change, where nothing else is said. */
export const entry = (id: number | undefined, more: Partial<WorkspaceEntry> = {}): WorkspaceEntry =>
  z.parse(workspaceEntry, { id, selected: 'allowed', ...more })

/** These workspaces are opened, and no others. */
export const custom = (...workspaces: WorkspaceEntry[]) =>
  ({ workspace_resources: 'custom', workspaces }) as const

/** Opens `owner`'s account to `guest`, as an accepted invitation does. What is not said is as the seed's defaults have it. */
export async function share(
  pool: Pool,
  owner: { readonly id: number },
  guest: { readonly id: number },
  more: Partial<Permissions> & { readonly expires_at?: string } = {},
): Promise<Shared> {
  const { expires_at = null, ...chosen } = more
  const permissions = { ...defaultPermissions, ...chosen }
  return pool.kysely.transaction().execute(async (tx) => {
    const permission = await tx
      .insertInto('share_permissions')
      .values({
        ...permissionColumns(permissions),
        inviting_client_id: owner.id,
        invited_client_id: guest.id,
        expires_at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await permissionCreated({ tx }, permission, { permissions })
    const { id: invitation } = await tx
      .insertInto('share_invitations')
      .values(({ selectFrom }) => ({
        permission_id: permission.id,
        client_id: owner.id,
        first_name: 'Guest',
        last_name: `of ${owner.id}`,
        invited_email: selectFrom('clients').select('email').where('id', '=', guest.id),
        last_sent_at: '2026-01-01T00:00:00Z',
        link_expires_at: '2026-01-15T00:00:00Z',
        accepted: true,
        accepted_at: '2026-01-02T00:00:00Z',
        accepted_by_client_id: guest.id,
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await listPanels(tx, { permissionId: permission.id })
    return { permission: permission.id, invitation }
  })
}
