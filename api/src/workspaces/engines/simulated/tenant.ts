import { createHash } from 'node:crypto'
import type { EngineReason, ResourceKind } from '@portico/contract/engine/wire.ts'
import { dayMs, minuteMs } from '@portico/contract/time.ts'
import type { EngineResource } from '#workspaces/engines/panel-engine.ts'

type Plan = {
  servers?: number
  clusters?: number
  nodes?: number
  domains?: number
  /** The limit of domains, which its panels do not reach. */
  mostDomains: number
  mailboxes?: number
  strained?: true
}

/** The content of a panel by plan; other plans are random. */
export const plans: Readonly<Record<string, Plan>> = {
  standard: { mostDomains: 10 },
  'web-3': { servers: 3, clusters: 0, domains: 9, mostDomains: 25 },
  'cluster-4': { servers: 0, clusters: 1, nodes: 4, domains: 3, mostDomains: 25 },
  'mail-24': { servers: 1, clusters: 0, domains: 4, mostDomains: 5, mailboxes: 24 },
  /** One permanently overloaded server, to demonstrate that state. */
  strained: { servers: 2, clusters: 0, domains: 3, mostDomains: 5, strained: true },
}

export const regions = ['eu-central', 'eu-west', 'eu-north'] as const
const adjectives = [
  'amber',
  'brisk',
  'clear',
  'dawn',
  'ever',
  'fern',
  'gold',
  'hazel',
  'iris',
  'jade',
  'kite',
  'lark',
]
const nouns = ['harbor', 'meadow', 'orchard', 'quarry', 'ridge', 'spring', 'timber', 'valley']

/** A deterministic number from 0 up to 1 by the keys: the same for every process and order of calls. */
function draw(...keys: readonly (string | number)[]): number {
  return createHash('sha256').update(keys.join('/')).digest().readUInt32BE() / 2 ** 32
}

function between(low: number, high: number, ...keys: readonly (string | number)[]): number {
  return low + Math.floor(draw(...keys) * (high - low + 1))
}

function pick<T>(from: readonly [T, ...T[]], ...keys: readonly (string | number)[]): T {
  return from[between(0, from.length - 1, ...keys)] ?? from[0]
}

/** The present plan, domain and region of a panel, which its id does not contain. */
export type Since = {
  readonly plan: string | null
  readonly domain: string | null
  readonly region: string | null
}

/** The power of a server: when it was started, or null while it is stopped. */
export type Power = { readonly upSince: string | null }

/** A panel as its external id describes it, and what has changed since. */
export type Tenant = {
  readonly id: string
  readonly panelId: number
  readonly planCode: string
  readonly plan: Plan
  readonly domain: string | null
  readonly region: string
  /** By server; absent where nothing was done. */
  readonly power: ReadonlyMap<string, Power>
}

const untouched: Tenant['power'] = new Map()

const planNamed = (code: string | null | undefined): Plan | undefined =>
  code != null && Object.hasOwn(plans, code) ? plans[code] : undefined

export function tenant(externalId: string, since?: Since, power = untouched): Tenant {
  const [, panelId = '', first = ''] = /^sim-(\d+)-([a-z0-9-]+)$/.exec(externalId) ?? []
  const [of, later] = [planNamed(first), planNamed(since?.plan)]
  if (!of) throw new Error(`There is no panel ${externalId}.`)
  const { strained: _, ...held } = of
  return {
    id: externalId,
    panelId: Number(panelId),
    planCode: later === undefined ? first : (since?.plan ?? first),
    // What a later plan does not say stays as it was, so that the panel fits into the plan of before.
    plan: later ? { ...held, ...later } : of,
    domain: since?.domain ?? null,
    region: since?.region ?? pick(regions, panelId, 'region'),
    power,
  }
}

type Size = { readonly vcpus: number; readonly memory_gb: number; readonly disk_gb: number }
const sizes: readonly [Size, ...Size[]] = [
  { vcpus: 2, memory_gb: 4, disk_gb: 80 },
  { vcpus: 4, memory_gb: 8, disk_gb: 160 },
  { vcpus: 8, memory_gb: 16, disk_gb: 320 },
]

/**
 * A load curve: highest in the afternoon, low before dawn, lower on weekends, with slight variation every
 * minute.
 */
function load(at: Date, ...keys: readonly (string | number)[]): number {
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60
  const day = 0.35 + 0.65 * ((1 - Math.cos(((hour - 4) / 24) * 2 * Math.PI)) / 2)
  const week = at.getUTCDay() % 6 === 0 ? 0.7 : 1
  const usual = 15 + 40 * draw(...keys, 'usual')
  const noise = 6 * (draw(...keys, 'noise', Math.floor(at.getTime() / minuteMs)) - 0.5)
  return Math.round(Math.min(100, Math.max(0.5, usual * day * week + noise)) * 10) / 10
}

/** Whether a machine is degraded: for ten minutes at a time, about once in two days for each. */
function inTrouble(at: Date, ...keys: readonly (string | number)[]): boolean {
  return draw(...keys, 'trouble', Math.floor(at.getTime() / (10 * minuteMs))) < 0.0035
}

/** The beginning of the ten minutes or the day that a moment is in. */
const lately = (at: Date, lasts: number) => new Date(Math.floor(at.getTime() / lasts) * lasts).toISOString()

const overloaded = (at: Date, cpu: number, lasts: number): EngineReason => ({
  code: 'load',
  since: lately(at, lasts),
  text: `The processor is at ${Math.round(cpu)} %.`,
})

const tenths = (value: number) => Math.round(value * 10) / 10

/** The use, addresses and uptime (37 days at most) of a server. */
function figures({ memory_gb, disk_gb }: Size, at: Date, ...keys: readonly (string | number)[]) {
  const today = Math.floor(at.getTime() / dayMs)
  const age = (today + between(0, 36, ...keys, 'age')) % 37
  const network = `2001:db8:${between(1, 65_535, ...keys, 'network').toString(16)}`
  return {
    ipv6: `${network}::1`,
    addresses: [`${network}::2`],
    memory_used_gb: tenths(memory_gb * (0.3 + 0.5 * draw(...keys, 'memory'))),
    disk_used_gb: tenths(disk_gb * (0.1 + 0.7 * draw(...keys, 'disk'))),
    up_since: new Date((today - age) * dayMs).toISOString(),
  }
}

/** A server as the power that it was given leaves it. */
function powered(server: EngineResource<'server'>, power: Power | undefined): EngineResource<'server'> {
  const { spec } = server
  if (power?.upSince !== null) {
    const up_since = power?.upSince ?? spec.up_since
    return { ...server, spec: { ...spec, up_since, power: ['stop', 'restart'] } }
  }
  const still = { cpu_percent: 0, memory_used_gb: 0, up_since: null, power: ['start' as const] }
  return { ...server, status: 'stopped', spec: { ...spec, ...still }, reasons: [] }
}

function servers({ panelId, plan, region, power }: Tenant, at: Date): EngineResource<'server'>[] {
  const many = plan.servers ?? between(1, 4, panelId, 'servers')
  return Array.from({ length: many }, (_, i) => {
    const keys = [panelId, 'server', i] as const
    const strained = plan.strained === true && i === 0
    const degraded = strained || inTrouble(at, ...keys)
    const cpu_percent = degraded ? 92 + Math.round(load(at, ...keys) / 13) : load(at, ...keys)
    const size = pick(sizes, ...keys, 'size')
    const server: EngineResource<'server'> = {
      kind: 'server',
      externalId: `s${i + 1}`,
      // With more than one server, the last is the database server.
      name: i > 0 && i === many - 1 ? 'db-1' : `web-${i + 1}`,
      status: degraded ? 'degraded' : 'running',
      region,
      spec: {
        ipv4: `198.51.100.${between(1, 254, ...keys, 'ip')}`,
        ...size,
        cpu_percent,
        ...figures(size, at, ...keys),
      },
      reasons: degraded ? [overloaded(at, cpu_percent, strained ? dayMs : 10 * minuteMs)] : [],
    }
    return powered(server, power.get(server.externalId))
  })
}

function clusters({ panelId, plan, region }: Tenant, at: Date): EngineResource<'cluster'>[] {
  const many = plan.clusters ?? between(0, 1, panelId, 'clusters')
  return Array.from({ length: many }, (_, i) => {
    const keys = [panelId, 'cluster', i] as const
    const nodes = plan.nodes ?? between(3, 5, ...keys, 'nodes')
    const degraded = inTrouble(at, ...keys)
    return {
      kind: 'cluster',
      externalId: `c${i + 1}`,
      name: `cluster-${i + 1}`,
      status: degraded ? 'degraded' : 'running',
      region,
      spec: {
        nodes,
        nodes_ready: degraded ? nodes - 1 : nodes,
        vcpus: nodes * 4,
        memory_gb: nodes * 16,
        cpu_percent: load(at, ...keys),
      },
      reasons: degraded
        ? [{ code: 'host_down', since: lately(at, 10 * minuteMs), text: 'A node is down.' }]
        : [],
    }
  })
}

/** Splits a plan's mailboxes over its domains; without a plan each domain has its own few. */
function mailboxes({ panelId, plan }: Tenant, index: number, domains: number): number {
  if (plan.mailboxes === undefined) return between(0, 6, panelId, 'mailboxes', index)
  return Math.floor(plan.mailboxes / domains) + (index < plan.mailboxes % domains ? 1 : 0)
}

function domains(of: Tenant, at: Date): EngineResource<'domain'>[] {
  const { panelId, plan, region, domain } = of
  const many = plan.domains ?? between(2, 8, panelId, 'domains')
  const first = between(0, adjectives.length - 1, panelId, 'domain')
  const today = Math.floor(at.getTime() / dayMs)
  return Array.from({ length: many }, (_, i) => {
    // Certificates of 90 days, renewed when 30 are left.
    const age = (today + between(0, 59, panelId, 'tls', i)) % 60
    const ends = (today + 90 - age) * dayMs
    const noun = nouns[between(0, nouns.length - 1, panelId, 'domain', i)]
    return {
      kind: 'domain',
      externalId: `d${i + 1}`,
      name: (i === 0 ? domain : null) ?? `${adjectives[(first + i) % adjectives.length]}-${noun}.test`,
      status: 'running',
      region,
      spec: {
        mailboxes: mailboxes(of, i, many),
        tls_expires_on: new Date(ends).toISOString().slice(0, 10),
        certificate: { issuer: 'Example CA', expires_at: new Date(ends).toISOString(), renews: true },
        dns: {
          servers: ['ns1.example.net', 'ns2.example.net'],
          delegated: draw(panelId, 'dns', i) > 0.1,
          dnssec: draw(panelId, 'dnssec', i) > 0.5,
        },
      },
    }
  })
}

/** The content and health of a panel at a time, by kind. */
export const listing: { readonly [K in ResourceKind]: (of: Tenant, at: Date) => EngineResource<K>[] } = {
  server: servers,
  cluster: clusters,
  domain: domains,
}
