import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { m } from '../../texts/compiled/messages.js'

/** The permissions before anything is chosen: nothing is shared. */
export const nothingShared: Permissions = {
  ...defaultPermissions,
  my_workspaces: 'denied',
  workspace_resources: 'none',
  account_access: 'none',
  domain_access: 'none',
}

/** The usual kinds of access, in the order of the choice. */
const presets = {
  developer: {
    ...defaultPermissions,
    tickets: 'allowed',
    create_domains: 'allowed',
    create_email: 'allowed',
    create_dev_env: 'allowed',
  },
  billing: { ...nothingShared, billing: 'allowed' },
  readonly: { ...nothingShared, my_workspaces: 'allowed', workspace_resources: 'all' },
} as const satisfies Record<string, Permissions>

export type PresetName = keyof typeof presets | 'custom'

export const presetWords: Record<PresetName, { name: () => string; text: () => string }> = {
  developer: { name: m.preset_developer, text: m.preset_developer_text },
  billing: { name: m.preset_billing, text: m.preset_billing_text },
  readonly: { name: m.preset_readonly, text: m.preset_readonly_text },
  custom: { name: m.preset_custom, text: m.preset_custom_text },
}

/** The permissions that a choice begins with; a custom one begins with the defaults of an invitation. */
export const permissionsOf = (name: PresetName): Permissions =>
  name === 'custom' ? defaultPermissions : presets[name]

const same = (a: Permissions, b: Permissions) =>
  Object.entries(a).every(([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(b, name)))

/** The kind of some permissions; undefined while nothing is shared. */
export function presetOf(permissions: Permissions): PresetName | undefined {
  if (same(nothingShared, permissions)) return undefined
  if (same(presets.developer, permissions)) return 'developer'
  if (same(presets.billing, permissions)) return 'billing'
  return same(presets.readonly, permissions) ? 'readonly' : 'custom'
}

/** Whether an invitation would share nothing at all. */
export const sharesNothing = ({
  billing,
  tickets,
  my_workspaces,
  workspace_resources,
}: Permissions): boolean =>
  billing === 'denied' &&
  tickets === 'denied' &&
  (my_workspaces === 'denied' || workspace_resources === 'none')
