import type { ExceededLimit } from '@portico/contract/engine/offers.ts'
import type { PanelCheckAnswer } from '@portico/contract/engine/panel-calls.ts'
import type { EngineCapabilities, ResourceKind } from '@portico/contract/engine/wire.ts'
import { resourceKind } from '@portico/contract/engine/wire.ts'
import { listing, plans, regions, type Tenant } from './tenant.ts'

const names: Readonly<Record<string, string>> = {
  standard: 'Start',
  'web-3': 'Web 3',
  'cluster-4': 'Cluster 4',
  'mail-24': 'Mail 24',
  strained: 'Old Web 2',
}

const regionNames = {
  'eu-central': 'Central Europe',
  'eu-west': 'Western Europe',
  'eu-north': 'Northern Europe',
}

const limitsOf = ({ servers, clusters, mostDomains, mailboxes }: (typeof plans)[string]) => ({
  servers: servers ?? null,
  clusters: clusters ?? null,
  domains: mostDomains,
  mailboxes: mailboxes ?? null,
})

/** The capabilities of the simulated engine. */
export const capabilities: EngineCapabilities = {
  provision: true,
  suspend: true,
  sso: true,
  events: true,
  domain_scopes: true,
  usage: 'push',
  kinds: [...resourceKind.options],
  plans: Object.keys(plans),
  check: true,
  change_plan: true,
  list: true,
  adopt: true,
  power: ['start', 'stop', 'restart'],
  series: true,
  audit: true,
  domain: 'optional',
  regions: regions.map((code) => ({ code, name: regionNames[code], open: true })),
  plan_details: Object.entries(plans).map(([code, plan]) => ({
    code,
    name: names[code] ?? code,
    domain: 'optional' as const,
    // The region of a panel follows from its id.
    regions: [],
    limits: limitsOf(plan),
  })),
}

export type Refused = PanelCheckAnswer & {
  readonly ok: false
  readonly code: string
  readonly message: string
}

const noSuchPlan = (code: string): Refused => ({
  ok: false,
  code: 'no_such_plan',
  field: 'plan',
  message: `There is no plan ${code}.`,
})

/** Why a panel would not be made. */
export function panelRefusal(
  { plan, domain }: { readonly plan: string | null; readonly domain: string | null },
  taken: (domain: string) => boolean,
): Refused | undefined {
  if (plan !== null && !Object.hasOwn(plans, plan)) return noSuchPlan(plan)
  if (domain === null || !taken(domain)) return undefined
  return { ok: false, code: 'domain_taken', field: 'domain', message: `Another panel has ${domain}.` }
}

const limited: readonly [limit: 'servers' | 'clusters' | 'domains', kind: ResourceKind][] = [
  ['servers', 'server'],
  ['clusters', 'cluster'],
  ['domains', 'domain'],
]

/** Why a panel would not get another plan: it is not there, or holds less than the panel does at this time. */
export function planRefusal(of: Tenant, code: string, at: Date): Refused | undefined {
  const plan = Object.hasOwn(plans, code) ? plans[code] : undefined
  if (!plan) return noSuchPlan(code)
  const limits = limitsOf(plan)
  const exceeded = limited.flatMap(([limit, kind]): ExceededLimit[] => {
    const [allowed, used] = [limits[limit], listing[kind](of, at).length]
    return allowed !== null && used > allowed ? [{ limit, allowed, used }] : []
  })
  if (exceeded.length === 0) return undefined
  const message = `The panel holds more than ${code} allows.`
  return { ok: false, code: 'limit_exceeded', field: 'plan', message, exceeded }
}
