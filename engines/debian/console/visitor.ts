import type { Host } from '../host.ts'
import type { Fields } from '../http/calls.ts'
import type { Panel } from '../panels/truth.ts'
import type { Visit } from '../store/store.ts'

/** Somebody at the page, and what they ask. */
export type Visitor = {
  readonly host: Host
  readonly visit: Visit
  readonly panel: Panel
  readonly asked: Fields
}

export const scopesOf = ({ about }: Visit): readonly string[] =>
  Array.isArray(about.scopes) ? about.scopes : []

/** Notes in the audit what somebody did at the page. */
export function note({ host, visit, panel }: Visitor, action: string, target: string): void {
  const { role, client_ip: ip } = visit.about
  const actor = { subject: visit.subject, kind: role === 'owner' ? 'owner' : 'guest' }
  host.store.note({ panel: panel.id, actor, action, target, ip: typeof ip === 'string' ? ip : null })
}
