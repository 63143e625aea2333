import type { Permissions, WorkspaceEntry } from '../permission-object.ts'

const entryOf = ({ workspaces }: Permissions, project: number): WorkspaceEntry | undefined =>
  workspaces.find(({ id }) => id === project)

/** The entry of a workspace where permissions are chosen by workspace, if it shares anything of it. */
function openEntry(permissions: Permissions, project: number): WorkspaceEntry | undefined {
  const entry = entryOf(permissions, project)
  return entry?.selected === 'allowed' && entry.show_workspace ? entry : undefined
}

/** Whether a permission shares a workspace, and so makes it visible. */
export function opensWorkspace(permissions: Permissions, project: number): boolean {
  if (permissions.my_workspaces !== 'allowed') return false
  if (permissions.workspace_resources !== 'custom') return permissions.workspace_resources === 'all'
  const entry = openEntry(permissions, project)
  return entry !== undefined && entry.access_type !== 'none'
}

/** Whether a permission shares a panel in the workspace `project`. */
export function opensPanel(permissions: Permissions, project: number, panel: number): boolean {
  if (!opensWorkspace(permissions, project)) return false
  if (permissions.workspace_resources === 'all') return true
  const entry = entryOf(permissions, project)
  return entry?.access_type === 'all' || (entry?.panels.includes(panel) ?? false)
}

/**
 * Whether a permission allows adding or deleting panels in a shared workspace: the general permission does,
 * and the workspace's entry does not deny it.
 */
export function allowsInWorkspace(
  permissions: Permissions,
  what: 'add_panels' | 'delete_panels',
  project: number,
): boolean {
  const entry = entryOf(permissions, project)
  return (
    opensWorkspace(permissions, project) &&
    permissions[what] === 'allowed' &&
    (entry === undefined || entry[what] === 'allowed')
  )
}
