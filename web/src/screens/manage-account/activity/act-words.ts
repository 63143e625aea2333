import { exact } from '../../../components/moments.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import type { SecurityEvent } from '../security-data.ts'
import { deviceName } from './device.ts'

/** The permissions, by their names in the API. */
const fields: Readonly<Record<string, () => string>> = {
  billing: m.permission_billing,
  tickets: m.permission_tickets,
  my_workspaces: m.permission_workspaces,
  add_panels: m.permission_add,
  delete_panels: m.permission_delete,
  workspace_resources: m.permission_resources,
  account_access: m.permission_account_access,
  domain_access: m.permission_domain_access,
  create_domains: m.permission_create_domains,
  create_email: m.permission_create_email,
  create_dev_env: m.permission_create_dev_env,
  expires_at: m.change_expiry,
}

const values: Readonly<Record<string, () => string>> = {
  allowed: m.change_allowed,
  denied: m.change_denied,
  all: m.level_all,
  custom: m.level_custom,
  none: m.level_none,
}

/** The value of a permission; any other value is the moment when it ends. */
function valueInWords(value: string | null): string {
  if (value === null) return m.change_no_end()
  return values[value]?.() ?? exact(value, language())
}

function changesInWords({ details }: SecurityEvent): string[] {
  const changed = Object.entries(details?.permissions ?? {}).map(([field, [before, after]]) =>
    m.change_of({
      field: fields[field]?.() ?? field,
      before: valueInWords(before),
      after: valueInWords(after),
    }),
  )
  return details?.listed ? [...changed, m.change_listed()] : changed
}

const actors = {
  owner: (name: string) => name,
  guest: (name: string) => m.act_by_guest({ name }),
  key: (name: string) => m.act_by_key({ name }),
}

/** The person, the change, and the address or browser that it came from. */
export function aboutInWords(event: SecurityEvent): string {
  const { actor, device, ip } = event
  const who = actor === null ? deviceName(device) : actors[actor.kind](actor.name)
  return [who, ...changesInWords(event), ip].filter(Boolean).join(' · ')
}
