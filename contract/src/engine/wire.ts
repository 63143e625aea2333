import * as z from 'zod/mini'
import { integerId, line } from '../fields.ts'
import { fault } from '../refusals/fields.ts'

// What the portal and an engine say to each other over HTTP. `contract/panel-engine.v1.yaml` says the same to authors of
// engines, and a test holds the two together.

/** The kinds of things inside a panel that the portal knows. */
export const resourceKind = z.enum(['server', 'cluster', 'domain'])

/** How a thing inside a panel does. */
export const resourceState = z.enum(['running', 'starting', 'stopped', 'degraded', 'error'])

/** How a panel does, as its engine sees it. */
export const enginePanelStatus = z.enum([
  'provisioning',
  'active',
  'degraded',
  'suspended',
  'error',
  'deleting',
  'deleted',
])

/** An engine's own name for something. It stands in paths, so it cannot hold a slash or begin with a dot. */
export const engineId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127}$/))

/** A moment in RFC 3339, in UTC. Nothing happened at an engine before there were any, and calendars differ on the year 0. */
const moment = z.iso.datetime().check(z.refine((text) => text >= '2000', fault('moment_too_early')))

const count = z.int().check(z.gte(0), z.lte(1_000_000))
const size = z.number().check(z.gte(0), z.lte(1e9))
const percent = z.number().check(z.gte(0), z.lte(100))

/** What differs from kind to kind. */
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

/** One thing inside a panel. */
export const engineResource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), ...common, spec: resourceSpec.server }),
  z.object({ kind: z.literal('cluster'), ...common, spec: resourceSpec.cluster }),
  z.object({ kind: z.literal('domain'), ...common, spec: resourceSpec.domain }),
])

/** What an engine can do. A word that the portal does not know is no fault: newer engines may have more. */
export const engineCapabilities = z.object({
  provision: z.boolean(),
  suspend: z.boolean(),
  sso: z.boolean(),
  /** Whether it tells of changes by itself; one that does not is read more often. */
  events: z.boolean(),
  /** Whether a sign-in link can be limited to some domains of the panel. */
  domain_scopes: z.boolean(),
  usage: z.enum(['none', 'push', 'pull']),
  kinds: z.array(resourceKind).check(z.maxLength(16)),
  /** No other plan is asked for; empty: panels are made without a plan. */
  plans: z.array(line(40)).check(z.maxLength(100)),
})

/** GET /v1/health. */
export const engineHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  version: line(64),
  capabilities: engineCapabilities,
})

/** A panel, as every call that touches one answers it. */
export const enginePanel = z.object({
  id: engineId,
  /** The portal's id of it. */
  panel_id: integerId,
  name: line(60),
  plan: z.nullable(line(40)),
  status: enginePanelStatus,
  region: z.nullable(line(64)),
})

/** POST /v1/panels. */
export const newEnginePanel = z.object({
  panel_id: integerId,
  name: line(60),
  plan: z.nullable(line(40)),
  region: z.nullable(line(64)),
  owner: z.object({ subject: engineId, display_name: line(200) }),
})

/** What a person may do inside a panel that they open. */
export const ssoScope = z.enum([
  'account_access',
  'domain_access',
  'create_domains',
  'create_email',
  'create_dev_env',
])

/** POST /v1/panels/{id}/sso. */
export const ssoRequest = z.object({
  /** The person, by a name that stays; `DELETE /v1/panels/{id}/subjects/{subject}` ends what they have. */
  subject: engineId,
  display_name: line(200),
  role: z.enum(['owner', 'guest']),
  scopes: z.array(ssoScope),
  /** The domains that `domain_access` is limited to, by the engine's ids; null: all. */
  domains: z.nullable(z.array(engineId).check(z.maxLength(1000))),
  client_ip: z.nullable(z.string()),
  ttl_seconds: z.int().check(z.gte(1), z.lte(300)),
})

/** What POST /v1/panels/{id}/sso answers. */
export const ssoLink = z.object({
  url: z.url({ protocol: /^https?$/ }).check(z.maxLength(2000)),
  expires_at: moment,
})

/** What GET /v1/panels/{id}/resources answers: a page, and where the next one begins. */
export const resourcePage = z.object({
  items: z.array(engineResource).check(z.maxLength(500)),
  next: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
})

/** How an engine refuses a call. The message is for the log of the portal's operator. */
export const engineRefusal = z.object({
  error: z.object({ code: z.string().check(z.maxLength(64)), message: z.string().check(z.maxLength(1000)) }),
})

const about = { panel: engineId, occurred_at: moment }

/** Something that happened at an engine. What is older than what is known changes nothing, so their order does not matter. */
export const engineEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('panel.status'),
    ...about,
    status: enginePanelStatus,
    region: z.optional(z.nullable(line(64))),
  }),
  z.object({ type: z.literal('resource.upserted'), ...about, resource: engineResource }),
  z.object({ type: z.literal('resource.removed'), ...about, kind: resourceKind, resource: engineId }),
])

/** The most events that one message holds. */
export const mostEvents = 500

/** POST /engine/v1/events: each event is looked at by itself, so a bad one does not lose the others. */
export const engineEvents = z.object({
  events: z.array(z.unknown()).check(z.minLength(1), z.maxLength(mostEvents)),
})

/** What became of a message: how many events counted, how many were older than what is known, and what was wrong with which. */
export const engineReceipt = z.object({
  accepted: z.int(),
  outdated: z.int(),
  errors: z.array(z.object({ index: z.int(), code: z.string(), detail: z.string() })),
})

/** The most usage events that one message holds, and the most bytes. */
export const mostUsageEvents = 5000
export const mostUsageBytes = 2_097_152

/** Something inside a panel as usage names it: its kind and id, or the panel as a whole. */
const usageResource = z
  .string()
  .check(
    z.regex(/^(?:panel|[a-z_]{1,20}\/[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,127})$/, fault('usage_resource_invalid')),
  )

/**
 * A quantity as a decimal text, which no reader can round: up to ten digits before the point, of which 10^9 is the most,
 * and six behind it. Below zero it takes back what an earlier event said too much.
 */
export const usageQuantity = z
  .string()
  .check(z.regex(/^-?(?:\d{1,9}(?:\.\d{1,6})?|10{9}(?:\.0{1,6})?)$/, fault('usage_quantity_invalid')))

/**
 * What was used of one thing in one interval, as a CloudEvent 1.0. Every meter adds up over intervals, so a gauge is sent
 * as what it comes to (GB × hours). The interval begins at `start`, ends before `end`, and lies within one UTC day.
 */
export const usageEvent = z.object({
  specversion: z.literal('1.0'),
  /** One and the same for the same event, for ever: by it what is sent twice counts once. */
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

/** POST /engine/v1/usage: each event is looked at by itself. */
export const usageEvents = z.array(z.unknown()).check(z.minLength(1), z.maxLength(mostUsageEvents))

/** Why a usage event was refused. */
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

/** What became of a message with usage; `id` is null where the event had none that can be read. */
export const usageReceipt = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(
    z.object({ index: z.int(), id: z.nullable(z.string()), code: usageRefusal, detail: z.string() }),
  ),
})

/** POST /engine/v1/watermark, and its answer: all usage that ends by then was sent. It never goes back. */
export const watermark = z.object({ through: moment })

export type ResourceKind = z.output<typeof resourceKind>
export type ResourceState = z.output<typeof resourceState>
export type EnginePanelStatus = z.output<typeof enginePanelStatus>
export type EngineCapabilities = z.output<typeof engineCapabilities>
export type SsoScope = z.output<typeof ssoScope>
export type WireResource = z.output<typeof engineResource>
export type EngineEvent = z.output<typeof engineEvent>
export type EngineReceipt = z.output<typeof engineReceipt>
export type UsageEvent = z.output<typeof usageEvent>
export type UsageReceipt = z.output<typeof usageReceipt>
export type UsageRefusal = z.output<typeof usageRefusal>
