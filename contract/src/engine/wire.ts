import * as z from 'zod/mini'
import { integerId, line } from '../fields.ts'
import { fault } from '../refusals/fields.ts'
import { domainRule, exceededLimits, hostName, offeredRegion, planDetails } from './offers.ts'

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

/** The attributes that are specific to each kind. */
export const resourceSpec = {
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

const common = {
  id: engineId,
  name: line(255),
  status: resourceState,
  region: z.nullable(line(64)),
}

/** One resource inside a panel. */
export const engineResource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), ...common, spec: resourceSpec.server }),
  z.object({ kind: z.literal('cluster'), ...common, spec: resourceSpec.cluster }),
  z.object({ kind: z.literal('domain'), ...common, spec: resourceSpec.domain }),
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
  /** Whether it needs the e-mail address of a panel's owner. */
  owner_email: can,
  domain: z.optional(domainRule),
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
export const enginePanel = z.extend(firstPanel, { domain: z.optional(z.nullable(hostName)) })

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
  url: z.url({ protocol: /^https?$/ }).check(z.maxLength(2000)),
  expires_at: moment,
})

/** The response of GET /v1/panels/{id}/resources: one page, and the cursor of the next. */
export const resourcePage = z.object({
  items: z.array(engineResource).check(z.maxLength(500)),
  next: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
})

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

/** The maximum number of usage events in one message, and its maximum size in bytes. */
export const mostUsageEvents = 5000
export const mostUsageBytes = 2_097_152

/** A resource in a usage event: its kind and id, or the whole panel. */
const usageResource = z
  .string()
  .check(
    z.regex(/^(?:panel|[a-z_]{1,20}\/[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127})$/, fault('usage_resource_invalid')),
  )

/**
 * A quantity as a decimal string, which no parser can round: up to ten digits before the point, at most 10^9,
 * and six after it. A negative quantity corrects an earlier event that reported too much.
 */
export const usageQuantity = z
  .string()
  .check(z.regex(/^-?(?:\d{1,9}(?:\.\d{1,6})?|10{9}(?:\.0{1,6})?)$/, fault('usage_quantity_invalid')))

/**
 * The usage of one resource in one interval, as a CloudEvent 1.0. Meters are summed over intervals, so a
 * gauge is sent as a product (GB × hours). The interval begins at `start`, ends before `end`, and lies within
 * one UTC day.
 */
export const usageEvent = z.object({
  specversion: z.literal('1.0'),
  /** The same event always has the same id; the portal deduplicates by it. */
  id: z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/, fault('usage_id_invalid'))),
  source: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.literal('usage.v1'),
  /** The portal's id of the panel. */
  subject: z.string().check(z.regex(/^panel\/[1-9][0-9]{0,14}$/, fault('usage_subject_invalid'))),
  time: z.optional(moment),
  data: z.object({
    resource: usageResource,
    meter: z.string().check(z.regex(/^[a-z0-9_]{1,40}$/)),
    start: moment,
    end: moment,
    quantity: usageQuantity,
  }),
})

/** POST /engine/v1/usage: each event is validated separately. */
export const usageEvents = z.array(z.unknown()).check(z.minLength(1), z.maxLength(mostUsageEvents))

/** Why a usage event was rejected. */
export const usageRefusal = z.enum([
  'invalid',
  'invalid_quantity',
  'invalid_interval',
  'crosses_midnight',
  'too_old',
  'too_new',
  'unknown_panel',
  'unknown_meter',
])

/** The result of a message with usage; `id` is null where the id of the event cannot be read. */
export const usageReceipt = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(
    z.object({ index: z.int(), id: z.nullable(z.string()), code: usageRefusal, detail: z.string() }),
  ),
})

/**
 * POST /engine/v1/watermark, and its response: all usage that ends by `through` was sent. It never moves
 * back.
 */
export const watermark = z.object({ through: moment })

export type ResourceKind = z.output<typeof resourceKind>
export type ResourceState = z.output<typeof resourceState>
export type EnginePanelStatus = z.output<typeof enginePanelStatus>
export type EngineCapabilities = z.output<typeof engineCapabilities>
export type EngineActor = z.output<typeof actor>
export type SsoScope = z.output<typeof ssoScope>
export type WireResource = z.output<typeof engineResource>
export type UsageEvent = z.output<typeof usageEvent>
export type UsageReceipt = z.output<typeof usageReceipt>
export type UsageRefusal = z.output<typeof usageRefusal>
