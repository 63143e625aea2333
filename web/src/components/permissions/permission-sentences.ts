import type { ActionOf, Output } from '../../api/actions.ts'
import { m } from '../../texts/compiled/messages.js'
import { insideInWords, joined } from './summary.ts'

type Preview = Output<ActionOf<'share-invitations', 'preview'>>['permissions']

function previewedWorkspaces({ my_workspaces, workspace_resources, workspaces }: Preview): string[] {
  if (my_workspaces === 'denied' || workspace_resources === 'none') return []
  if (workspace_resources === 'all') return [m.may_all_workspaces()]
  return workspaces.map(({ name, access_type, panel_names: panels = [] }) => {
    if (access_type === 'all') return m.may_workspace({ name })
    return panels.length === 0 ? m.may_no_panel({ name }) : m.may_panels({ panels: joined(panels), name })
  })
}

/** The permissions in an invitation, for the person who holds its link. */
export function previewInWords(permissions: Preview): string[] {
  const workspaces = previewedWorkspaces(permissions)
  const isIn = workspaces.length > 0
  const opensPanels =
    permissions.workspace_resources === 'all' ||
    permissions.workspaces.some(({ access_type, panels }) => access_type === 'all' || panels > 0)
  return [
    ...(permissions.billing === 'allowed' ? [m.may_billing()] : []),
    ...(permissions.tickets === 'allowed' ? [m.may_tickets()] : []),
    ...workspaces,
    ...(isIn && permissions.add_panels === 'allowed' ? [m.may_add()] : []),
    ...(isIn && permissions.delete_panels === 'allowed' ? [m.may_delete()] : []),
    ...(isIn && opensPanels ? insideInWords(permissions) : []),
  ]
}

export type Effective = Output<ActionOf<'share-permissions', 'effective'>>

function workspacesInWords({ workspaces, panels }: Effective): string[] {
  return workspaces.map(({ id, name }) => {
    const open = panels.filter((panel) => panel.project_id === id).map((panel) => panel.name)
    return open.length === 0 ? m.may_no_panel({ name }) : m.may_panels({ panels: joined(open), name })
  })
}

const allow = (yes: boolean) => (yes ? 'allowed' : 'denied')

/** The permissions that a person has now. */
export function effectiveInWords(effective: Effective): string[] {
  const { capabilities: may, workspaces, panels } = effective
  const where = (what: 'add_panels' | 'delete_panels') =>
    workspaces.filter((workspace) => workspace[what]).map(({ name }) => name)
  const [add, remove] = [where('add_panels'), where('delete_panels')]
  const inside = insideInWords({
    ...may,
    domains: 0,
    create_domains: allow(may.create_domains),
    create_email: allow(may.create_email),
    create_dev_env: allow(may.create_dev_env),
  })
  return [
    ...(may.billing ? [m.may_billing()] : []),
    ...(may.tickets ? [m.may_tickets()] : []),
    ...workspacesInWords(effective),
    ...(add.length > 0 ? [m.may_add_in({ names: joined(add) })] : []),
    ...(remove.length > 0 ? [m.may_delete_in({ names: joined(remove) })] : []),
    ...(panels.length > 0 ? inside : []),
  ]
}
