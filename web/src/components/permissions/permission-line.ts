import type { Permissions } from '@portico/contract/permission-object.ts'
import { opensWorkspace } from '@portico/contract/rules/permissions.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { endInWords } from './expiry.ts'

function workspacesInALine(permissions: Permissions): string[] {
  if (permissions.my_workspaces !== 'allowed') return []
  if (permissions.workspace_resources === 'all') return [m.permission_all_workspaces()]
  const open = permissions.workspaces.filter(({ id }) => opensWorkspace(permissions, id)).length
  return open > 0 ? [m.workspaces_count({ count: open })] : []
}

/** A one-line summary of a permission. */
export function inALine(permissions: Permissions): string {
  const workspaces = workspacesInALine(permissions)
  const inWorkspaces = (allow: 'add_panels' | 'delete_panels', name: string) =>
    workspaces.length > 0 && permissions[allow] === 'allowed' ? [name] : []
  const parts = [
    ...(permissions.billing === 'allowed' ? [m.permission_billing()] : []),
    ...(permissions.tickets === 'allowed' ? [m.permission_tickets()] : []),
    ...workspaces,
    ...inWorkspaces('add_panels', m.permission_add()),
    ...inWorkspaces('delete_panels', m.permission_delete()),
  ]
  return parts.join(' · ') || m.permission_nothing()
}

/** The end of the access, if it has one. */
export function untilInWords({
  expires_at,
}: Pick<Row<'share-permissions'>, 'expires_at'>): string | undefined {
  if (expires_at === null) return undefined
  const date = endInWords(expires_at)
  return Date.parse(expires_at) > Date.now() ? m.permission_until({ date }) : m.permission_ended({ date })
}
