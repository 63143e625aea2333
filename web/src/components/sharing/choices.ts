import type { Allow, Level, Permissions, WorkspaceEntry } from '@portico/contract/permission-object.ts'

/** A workspace of the owner, as far as one chooses from it. */
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

/** How much of a workspace is chosen; what is not selected, or not shown, is not opened whatever else stands there. */
export function levelOf(permissions: Permissions, id: number): Level {
  const { selected, show_workspace, access_type } = entryOf(permissions, id)
  return selected === 'allowed' && show_workspace ? access_type : 'none'
}

/** Workspaces are chosen one by one, and none is. */
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

/** Chooses between nothing, some and all. Some begins with none chosen; what was chosen one by one does not narrow all. */
export const withResources = (permissions: Permissions, level: Level): Permissions => ({
  ...permissions,
  workspace_resources: level,
  workspaces: [],
})

/** Allows or denies for the whole; each workspace that is named follows, and can then be narrowed by itself. */
export const withWhole = (
  permissions: Permissions,
  what: 'add_panels' | 'delete_panels',
  allow: Allow,
): Permissions => ({
  ...permissions,
  [what]: allow,
  workspaces: permissions.workspaces.map((entry) => ({ ...entry, [what]: allow })),
})

/** The same access said workspace by workspace, so that something can be taken out of it. */
function oneByOne(permissions: Permissions, all: readonly Known[]): Permissions {
  if (permissions.workspace_resources === 'custom') return permissions
  const custom: Permissions = { ...permissions, workspace_resources: 'custom' }
  if (permissions.workspace_resources === 'none') return { ...custom, workspaces: [] }
  return all.reduce((chosen, { id }) => withLevel(chosen, id, 'all'), custom)
}

/** Everything that was open but a workspace. Of what was open as a whole, workspaces that are added later are not. */
export const withoutWorkspace = (permissions: Permissions, all: readonly Known[], id: number): Permissions =>
  withEntry(oneByOne(permissions, all), id, { access_type: 'none', selected: 'denied', panels: [] })

/** Everything that was open but a panel; panels that are added to its workspace later are not open either. */
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
