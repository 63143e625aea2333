import { opensPanel, opensWorkspace } from '@portico/contract/rules/permissions.ts'
import type { Row } from '../../api/rows.ts'
import { type Known, levelOf, withoutPanel, withoutWorkspace } from '../permissions/choices.ts'

export type Permission = Row<'share-permissions', 'invitation'>
type Invited = NonNullable<Permission['invitation']>

/** A person with access to a workspace or a panel, and the part of their permissions that grants it. */
export type Reach = { permission: Permission; person: Invited; by: 'all' | 'workspace' | 'part' | 'panel' }

const isOver = ({ expires_at }: Permission): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now()

export type Counting = { permission: Permission; person: Invited }

/** The effective permissions with their people. One without an invitation grants nothing. */
export function counting(all: readonly Permission[]): Counting[] {
  return all.flatMap((permission) =>
    permission.invitation && !isOver(permission) ? [{ permission, person: permission.invitation }] : [],
  )
}

/** The people with access to a workspace, now or once they accept. */
export const whoReachesWorkspace = (all: readonly Permission[], { id }: Known): Reach[] =>
  counting(all)
    .filter(({ permission }) => opensWorkspace(permission.permissions, id))
    .map((one) => {
      const { permissions } = one.permission
      if (permissions.workspace_resources === 'all') return { ...one, by: 'all' }
      return { ...one, by: levelOf(permissions, id) === 'all' ? 'workspace' : 'part' }
    })

/** The people with access to a panel, now or once they accept. */
export const whoReachesPanel = (all: readonly Permission[], { id }: Known, panel: number): Reach[] =>
  counting(all)
    .filter(({ permission }) => opensPanel(permission.permissions, id, panel))
    .map((one) => {
      const { permissions } = one.permission
      if (permissions.workspace_resources === 'all') return { ...one, by: 'all' }
      return { ...one, by: levelOf(permissions, id) === 'all' ? 'workspace' : 'panel' }
    })

/** A workspace, or one of its panels. */
export type Thing = { workspace: Known; panel?: { id: number; name: string } }

/** The permissions of a person without this. */
export const withoutThing = (
  { permissions }: Permission,
  all: readonly Known[],
  { workspace, panel }: Thing,
) =>
  panel
    ? withoutPanel(permissions, all, workspace, panel.id)
    : withoutWorkspace(permissions, all, workspace.id)
