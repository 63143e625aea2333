import { type ApiKeyGroup, readsGroup, writesGroup } from '@portico/contract/rules/api-key-scopes.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

export type ApiKey = Row<'api-keys', 'project'>

/** The scopes of a key, in display order. */
export const groups: readonly {
  group: ApiKeyGroup
  name: () => string
  about: () => string
  writes: boolean
}[] = [
  { group: 'projects', name: m.key_projects, about: m.key_projects_about, writes: true },
  { group: 'panels', name: m.key_panels, about: m.key_panels_about, writes: true },
  { group: 'tickets', name: m.key_of_tickets, about: m.key_tickets_about, writes: true },
  { group: 'usage', name: m.key_usage, about: m.key_usage_about, writes: false },
  { group: 'billing', name: m.key_of_billing, about: m.key_billing_about, writes: true },
]

/** The scopes of a key, in one line. */
export const scopesInWords = ({ scopes }: Pick<ApiKey, 'scopes'>): string =>
  groups
    .filter(({ group }) => readsGroup(scopes, group))
    .map(({ group, name }) =>
      writesGroup(scopes, group) ? m.key_scope_write({ of: name() }) : m.key_scope_read({ of: name() }),
    )
    .join(', ')

export const states: Record<ApiKey['state'], { tone: Tone; name: () => string }> = {
  active: { tone: 'good', name: m.key_active },
  expired: { tone: 'idle', name: m.key_expired },
  revoked: { tone: 'idle', name: m.key_revoked },
}
