import type { Allow, Level, Permissions, WorkspaceEntry } from '@portico/contract/permission-object.ts'

/** The fields of a workspace that a choice needs. */
export type Known = {
  readonly id: number
  readonly name: string
  readonly panels: readonly { readonly id: number; readonly name: string }[]
}

const entryOf = (permissions: Permissions, id: number): WorkspaceEntry =>
  permissions.workspaces.find((entry) => entry.id === id) ?? {
    id,
    selected: 'denied',
    show_workspace: true,
    access_type: 'none',
    add_panels: permissions.add_panels,
    delete_panels: permissions.delete_panels,
    panels: [],
  }

/** How much of a workspace is shared; entries of hidden or unselected workspaces do not count. */
export function levelOf(permissions: Permissions, id: number): Level {
  const { selected, show_workspace, access_type } = entryOf(permissions, id)
  return selected === 'allowed' && show_workspace ? access_type : 'none'
}

/** Custom access without any workspace. */
export const choosesNoWorkspace = (permissions: Permissions): boolean =>
  permissions.my_workspaces === 'allowed' &&
  permissions.workspace_resources === 'custom' &&
  permissions.workspaces.every(({ id }) => levelOf(permissions, id) === 'none')

export const panelsOf = (permissions: Permissions, id: number): readonly number[] =>
  entryOf(permissions, id).panels

export const allowedIn = (
  permissions: Permissions,
  what: 'add_panels' | 'delete_panels',
  id: number,
): boolean => entryOf(permissions, id)[what] === 'allowed'

export function withEntry(
  permissions: Permissions,
  id: number,
  change: Partial<WorkspaceEntry>,
): Permissions {
  const others = permissions.workspaces.filter((entry) => entry.id !== id)
  const workspaces = [...others, { ...entryOf(permissions, id), ...change }].sort((a, b) => a.id - b.id)
  return { ...permissions, workspaces }
}

export const withLevel = (permissions: Permissions, id: number, level: Level): Permissions =>
  withEntry(permissions, id, {
    access_type: level,
    selected: level === 'none' ? 'denied' : 'allowed',
    show_workspace: true,
  })

/** Chooses none, custom or all. Custom starts empty; a custom list does not narrow all. */
export const withResources = (permissions: Permissions, level: Level): Permissions => ({
  ...permissions,
  workspace_resources: level,
  workspaces: [],
})

/** Sets a general permission; every listed workspace follows and can then be narrowed. */
export const withWhole = (
  permissions: Permissions,
  what: 'add_panels' | 'delete_panels',
  allow: Allow,
): Permissions => ({
  ...permissions,
  [what]: allow,
  workspaces: permissions.workspaces.map((entry) => ({ ...entry, [what]: allow })),
})

/** The same access as a list of workspaces, so that parts can be removed. */
function oneByOne(permissions: Permissions, all: readonly Known[]): Permissions {
  if (permissions.workspace_resources === 'custom') return permissions
  const custom: Permissions = { ...permissions, workspace_resources: 'custom' }
  if (permissions.workspace_resources === 'none') return { ...custom, workspaces: [] }
  return all.reduce((chosen, { id }) => withLevel(chosen, id, 'all'), custom)
}

/**
 * Removes a workspace from the access. Access to everything no longer includes workspaces that are added
 * later.
 */
export const withoutWorkspace = (permissions: Permissions, all: readonly Known[], id: number): Permissions =>
  withEntry(oneByOne(permissions, all), id, { access_type: 'none', selected: 'denied', panels: [] })

/** Removes a panel from the access; panels that are added to its workspace later are not included. */
export function withoutPanel(
  permissions: Permissions,
  all: readonly Known[],
  { id, panels }: Known,
  panel: number,
): Permissions {
  const chosen = oneByOne(permissions, all)
  const open = levelOf(chosen, id) === 'all' ? panels.map((one) => one.id) : panelsOf(chosen, id)
  return withEntry(chosen, id, { access_type: 'custom', panels: open.filter((one) => one !== panel) })
}
