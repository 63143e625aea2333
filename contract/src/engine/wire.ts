import * as z from 'zod/mini'
import { integerId, line } from '../fields.ts'
import { fault } from '../refusals/fields.ts'
import { domainRule, exceededLimits, hostName, offeredRegion, planDetails } from './offers.ts'
import { powerVerb, reasonCode } from './reasons.ts'

// The HTTP protocol between the portal and an engine. `contract/panel-engine.v1.yaml` documents it for
// authors of engines, and a test compares the two.

/** The kinds of resources inside a panel. */
export const resourceKind = z.enum(['server', 'cluster', 'domain'])

/** The state of a resource inside a panel. */
export const resourceState = z.enum(['running', 'starting', 'stopped', 'degraded', 'error'])

/** The state of a panel, as its engine reports it. */
export const enginePanelStatus = z.enum([
  'provisioning',
  'active',
  'degraded',
  'suspended',
  'error',
  'deleting',
  'deleted',
])

/** The engine's id of a resource. It is part of paths, so it must not contain a slash or begin with a dot. */
export const engineId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127}$/))

/**
 * A moment in RFC 3339, in UTC. Early years are excluded because no engine existed then and calendars differ
 * on the year 0.
 */
export const moment = z.iso.datetime().check(z.refine((text) => text >= '2000', fault('moment_too_early')))

const count = z.int().check(z.gte(0), z.lte(1_000_000))
const size = z.number().check(z.gte(0), z.lte(1e9))
const percent = z.number().check(z.gte(0), z.lte(100))

/** Why something is not as it should be, said by an engine of contract 1.1. */
export const engineReason = z.object({
  code: reasonCode,
  since: moment,
  /** Of a panel: its server, cluster or domain, by kind and id; null: the panel itself. */
  resource: z.optional(
    z.nullable(z.string().check(z.regex(/^(?:server|cluster|domain)\/[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127}$/))),
  ),
  /** For the staff of the operator; customers read our words for the code. */
  text: z.optional(z.nullable(z.string().check(z.maxLength(300)))),
})

const reasons = z.optional(z.array(engineReason).check(z.maxLength(20)))

/** The attributes that are specific to each kind, at an engine of contract 1.0. */
const firstSpec = {
  server: z.object({
    ipv4: z.nullable(z.ipv4()),
    vcpus: count,
    memory_gb: size,
    disk_gb: size,
    cpu_percent: percent,
  }),
  cluster: z.object({
    nodes: count,
    nodes_ready: count,
    vcpus: count,
    memory_gb: size,
    cpu_percent: percent,
  }),
  domain: z.object({ mailboxes: count, tls_expires_on: z.nullable(z.iso.date()) }),
} as const

/** An address that a browser opens. */
const webPage = z.url({ protocol: /^https?$/ }).check(z.maxLength(2000))

const perhaps = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

/** The attributes that are specific to each kind. */
export const resourceSpec = {
  server: z.extend(firstSpec.server, {
    ipv6: perhaps(z.ipv6()),
    /** All other addresses. */
    addresses: z.optional(z.array(z.union([z.ipv4(), z.ipv6()])).check(z.maxLength(20))),
    memory_used_gb: perhaps(size),
    disk_used_gb: perhaps(size),
    up_since: perhaps(moment),
    /** The actions that are possible now; with the capability `power`. */
    power: z.optional(z.array(powerVerb).check(z.maxLength(3))),
  }),
  cluster: firstSpec.cluster,
  domain: z.extend(firstSpec.domain, {
    certificate: perhaps(z.object({ issuer: line(200), expires_at: moment, renews: z.boolean() })),
    dns: perhaps(
      z.object({
        servers: z.array(hostName).check(z.maxLength(20)),
        /** Whether the Internet asks these servers for the domain; null: not known. */
        delegated: z.nullable(z.boolean()),
        dnssec: z.boolean(),
      }),
    ),
  }),
} as const

const common = {
  id: engineId,
  name: line(255),
  status: resourceState,
  region: z.nullable(line(64)),
}

const later = { ...common, reasons }

/** One resource inside a panel. */
export const engineResource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), ...later, spec: resourceSpec.server }),
  z.object({ kind: z.literal('cluster'), ...later, spec: resourceSpec.cluster }),
  z.object({ kind: z.literal('domain'), ...later, spec: resourceSpec.domain }),
])

/** The same of an engine of contract 1.0, in which the words of 1.1 mean nothing. */
export const firstResource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), ...common, spec: firstSpec.server }),
  z.object({ kind: z.literal('cluster'), ...common, spec: firstSpec.cluster }),
  z.object({ kind: z.literal('domain'), ...common, spec: firstSpec.domain }),
])

const can = z.optional(z.boolean())

/** The capabilities of contract 1.0. Unknown ones are ignored, because newer engines may have more. */
const firstCapabilities = z.object({
  provision: z.boolean(),
  suspend: z.boolean(),
  sso: z.boolean(),
  /** Whether it sends events about changes; the portal polls an engine without them more often. */
  events: z.boolean(),
  /** Whether a sign-in link can be limited to some domains of the panel. */
  domain_scopes: z.boolean(),
  usage: z.enum(['none', 'push', 'pull']),
  kinds: z.array(resourceKind).check(z.maxLength(16)),
  /** The plans that panels can be created with; empty: panels are created without a plan. */
  plans: z.array(line(40)).check(z.maxLength(100)),
})

/** The capabilities of an engine. Those that an engine of contract 1.1 does not list are not offered. */
export const engineCapabilities = z.extend(firstCapabilities, {
  check: can,
  change_plan: can,
  list: can,
  adopt: can,
  series: can,
  audit: can,
  /** Whether it needs the e-mail address of a panel's owner. */
  owner_email: can,
  domain: z.optional(domainRule),
  /** The actions on the power of servers. */
  power: z.optional(z.array(powerVerb).check(z.maxLength(3))),
  /** The interval at which panels are read, instead of the portal's default. */
  read_seconds: z.optional(z.int().check(z.gte(60), z.lte(3600))),
  regions: z.optional(z.array(offeredRegion).check(z.maxLength(50))),
  plan_details: z.optional(z.array(planDetails).check(z.maxLength(100))),
})

/** GET /v1/health. */
export const engineHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  version: line(64),
  /** The version of the contract that it speaks; what says nothing speaks 1.0. */
  contract: z.optional(z.string().check(z.regex(/^[0-9]{1,3}\.[0-9]{1,3}$/))),
  /** Why it is degraded, or what is planned. */
  reasons,
  capabilities: engineCapabilities,
})

/** The same of an engine of contract 1.0, in which the words of 1.1 mean nothing. */
const firstHealth = z.object({
  status: engineHealth.shape.status,
  version: engineHealth.shape.version,
  capabilities: firstCapabilities,
})

/** Whether an engine that says this of its contract speaks 1.1, or what came after it. */
export const isLater = (contract: unknown): boolean =>
  typeof contract === 'string' && /^1\.[1-9][0-9]{0,2}$/.test(contract)

/** By what the health of an engine is read, which says itself what it speaks. */
export const healthOf = (said: unknown): typeof engineHealth | typeof firstHealth =>
  typeof said === 'object' && said !== null && 'contract' in said && isLater(said.contract)
    ? engineHealth
    : firstHealth

/** The actor of a change, sent to engines since contract 1.1. */
export const actor = z.object({
  subject: z.nullable(engineId),
  kind: z.enum(['owner', 'guest', 'key', 'staff', 'system']),
})

/** The account that owns a panel. */
export const panelOwner = z.object({
  subject: engineId,
  display_name: line(200),
  /** Only to engines that want it. */
  email: z.optional(z.nullable(line(254))),
})

/** A panel, as every call that touches one answers it at an engine of contract 1.0. */
export const firstPanel = z.object({
  id: engineId,
  /** The portal's id of the panel. */
  panel_id: integerId,
  name: line(60),
  plan: z.nullable(line(40)),
  status: enginePanelStatus,
  region: z.nullable(line(64)),
})

/** A panel, as every call that touches one answers it. */
export const enginePanel = z.extend(firstPanel, {
  domain: perhaps(hostName),
  reasons,
  /** How much of it is made, in percent; null: not known. */
  progress: perhaps(z.int().check(z.gte(0), z.lte(100))),
  /** Where people sign in by themselves, for engines without links. */
  login_url: perhaps(webPage),
  created_at: perhaps(moment),
})

/** POST /v1/panels; `domain` and `actor` only to engines of contract 1.1. */
export const newEnginePanel = z.object({
  panel_id: integerId,
  name: line(60),
  plan: z.nullable(line(40)),
  region: z.nullable(line(64)),
  domain: z.optional(z.nullable(hostName)),
  owner: panelOwner,
  actor: z.optional(actor),
})

/** The rights of a person inside a panel that they open. */
export const ssoScope = z.enum([
  'account_access',
  'domain_access',
  'create_domains',
  'create_email',
  'create_dev_env',
])

/** POST /v1/panels/{id}/sso. */
export const ssoRequest = z.object({
  /** A stable id of the person; `DELETE /v1/panels/{id}/subjects/{subject}` ends their sessions. */
  subject: engineId,
  display_name: line(200),
  role: z.enum(['owner', 'guest']),
  scopes: z.array(ssoScope),
  /** The engine's ids of the domains that `domain_access` is limited to; null: all. */
  domains: z.nullable(z.array(engineId).check(z.maxLength(1000))),
  client_ip: z.nullable(z.string()),
  ttl_seconds: z.int().check(z.gte(1), z.lte(300)),
})

/** The response of POST /v1/panels/{id}/sso. */
export const ssoLink = z.object({
  url: webPage,
  expires_at: moment,
})

const pageOf = <S extends z.ZodMiniType>(resource: S) =>
  z.object({
    items: z.array(resource).check(z.maxLength(500)),
    next: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
  })

/** The response of GET /v1/panels/{id}/resources: one page, and the cursor of the next. */
export const resourcePage = pageOf(engineResource)

/** The same of an engine of contract 1.0. */
export const firstResourcePage = pageOf(firstResource)

/** The refusal of a call by an engine. The message is logged for the operator of the portal. */
export const engineRefusal = z.object({
  error: z.object({
    code: z.string().check(z.maxLength(64)),
    message: z.string().check(z.maxLength(1000)),
    /** The rejected field: domain, plan, region or name. Any other value is ignored. */
    field: z.catch(z.optional(z.nullable(z.string().check(z.maxLength(40)))), null),
    exceeded: z.catch(z.optional(exceededLimits), []),
  }),
})

export type ResourceKind = z.output<typeof resourceKind>
export type ResourceState = z.output<typeof resourceState>
export type EnginePanelStatus = z.output<typeof enginePanelStatus>
export type EngineCapabilities = z.output<typeof engineCapabilities>
export type EngineActor = z.output<typeof actor>
export type SsoScope = z.output<typeof ssoScope>
export type WireResource = z.output<typeof engineResource>
export type EngineReason = z.output<typeof engineReason>
