import * as z from 'zod/mini'
import { integerId, line } from '../fields.ts'

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
const moment = z.iso
  .datetime()
  .check(z.refine((text) => text >= '2000', 'Expected a moment after the year 2000'))

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
  /** Empty: any plan, also none, will do. */
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

export type ResourceKind = z.output<typeof resourceKind>
export type ResourceState = z.output<typeof resourceState>
export type EnginePanelStatus = z.output<typeof enginePanelStatus>
export type EngineCapabilities = z.output<typeof engineCapabilities>
export type SsoScope = z.output<typeof ssoScope>
export type WireResource = z.output<typeof engineResource>
export type EngineEvent = z.output<typeof engineEvent>
export type EngineReceipt = z.output<typeof engineReceipt>
