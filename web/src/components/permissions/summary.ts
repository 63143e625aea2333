import type { Permissions } from '@portico/contract/permission-object.ts'
import { allowsInWorkspace, opensPanel, opensWorkspace } from '@portico/contract/rules/permissions.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Known } from './choices.ts'

/** "a, b and c", joined as the reader's language does. */
export const joined = (names: readonly string[]): string => new Intl.ListFormat(language()).format(names)

function panelsInWords(permissions: Permissions, { id, name, panels }: Known): string {
  // A panel that does not exist yet is shared only where all are.
  if (opensPanel(permissions, id, -1)) return m.may_workspace({ name })
  const open = panels.filter((panel) => opensPanel(permissions, id, panel.id))
  if (open.length === 0) return m.may_no_panel({ name })
  return m.may_panels({ panels: joined(open.map((panel) => panel.name)), name })
}

const words = {
  add_panels: [m.may_add, m.may_add_in],
  delete_panels: [m.may_delete, m.may_delete_in],
} as const

/** The workspaces where panels may be added or deleted: all, some or none. */
function inWorkspaces(permissions: Permissions, what: keyof typeof words, all: readonly Known[]): string[] {
  const open = all.filter(({ id }) => opensWorkspace(permissions, id))
  const names = open.filter(({ id }) => allowsInWorkspace(permissions, what, id)).map(({ name }) => name)
  const [everywhere, somewhere] = words[what]
  if (names.length === open.length && permissions[what] === 'allowed') return [everywhere()]
  return names.length > 0 ? [somewhere({ names: joined(names) })] : []
}

function workspacesInWords(permissions: Permissions, all: readonly Known[]): string[] {
  const open = all.filter(({ id }) => opensWorkspace(permissions, id))
  const isAll = opensWorkspace(permissions, -1)
  if (!isAll && open.length === 0) return []
  return [
    ...(isAll ? [m.may_all_workspaces()] : open.map((workspace) => panelsInWords(permissions, workspace))),
    ...inWorkspaces(permissions, 'add_panels', all),
    ...inWorkspaces(permissions, 'delete_panels', all),
  ]
}

/** The permissions inside panels; `domains` where it is neither all nor none. */
type Inside = Pick<
  Permissions,
  'account_access' | 'domain_access' | 'create_domains' | 'create_email' | 'create_dev_env'
>

export function insideInWords(permissions: Inside & { domains: number }): string[] {
  const { account_access, domain_access, domains } = permissions
  const hasSome = domain_access === 'custom' && domains > 0
  return [
    ...(account_access === 'none' ? [] : [m.may_accounts()]),
    ...(domain_access === 'all' ? [m.may_domains()] : []),
    ...(hasSome ? [m.may_some_domains({ count: domains })] : []),
    ...(permissions.create_domains === 'allowed' ? [m.may_create_domains()] : []),
    ...(permissions.create_email === 'allowed' ? [m.may_create_email()] : []),
    ...(permissions.create_dev_env === 'allowed' ? [m.may_create_dev_env()] : []),
  ]
}

const opensSomePanel = (permissions: Permissions, all: readonly Known[]): boolean =>
  opensPanel(permissions, -1, -1) ||
  all.some(({ id, panels }) =>
    [-1, ...panels.map((panel) => panel.id)].some((panel) => opensPanel(permissions, id, panel)),
  )

/** The permissions as sentences; empty when there are none. */
export function summary(permissions: Permissions, all: readonly Known[]): string[] {
  return [
    ...(permissions.billing === 'allowed' ? [m.may_billing()] : []),
    ...(permissions.tickets === 'allowed' ? [m.may_tickets()] : []),
    ...workspacesInWords(permissions, all),
    ...(opensSomePanel(permissions, all)
      ? insideInWords({ ...permissions, domains: permissions.domains.length })
      : []),
  ]
}
