import type {
  EngineCapabilities,
  EnginePanelStatus,
  ResourceKind,
  ResourceState,
  resourceSpec,
  SsoScope,
} from '@portico/contract/engine/wire.ts'
import type * as z from 'zod/mini'

/** One thing inside a panel, as its engine reports it at this moment; its `spec` has the names of the portal's own types. */
export type EngineResource<K extends ResourceKind = ResourceKind> = {
  readonly kind: K
  readonly externalId: string
  readonly name: string
  readonly status: ResourceState
  readonly region: string | null
  readonly spec: z.output<(typeof resourceSpec)[K]>
}

export type NewPanel = {
  /** Ours; asking twice for the same one makes one. */
  readonly panelId: number
  readonly name: string
  readonly plan: string | null
  readonly region: string | null
  readonly owner: { readonly subject: string; readonly displayName: string }
}

/** What an engine needs to find a panel. Without an `externalId` its creation may or may not have reached the engine. */
export type PanelRef = NewPanel & { readonly externalId: string | null }

/** What an engine says of a panel. */
export type EnginePanel = { readonly status: EnginePanelStatus; readonly region: string | null }

/** What became of a panel asked for: made or being made, or refused for good, so that asking again changes nothing. */
export type Made =
  | (EnginePanel & { readonly refused: false; readonly externalId: string })
  | { readonly refused: true; readonly reason: string }

/** Who opens a panel, and what they may do in it. */
export type SsoAsk = {
  /** The person, by a name that stays. */
  readonly subject: string
  readonly displayName: string
  readonly role: 'owner' | 'guest'
  readonly scopes: readonly SsoScope[]
  /** The domains that `domain_access` is limited to, by the engine's ids; null: all. */
  readonly domains: readonly string[] | null
  readonly clientIp: string | null
  readonly ttlSeconds: number
}

export type SsoLink = { readonly url: string; readonly expiresAt: string }

export type Health = {
  readonly status: 'ok' | 'degraded'
  readonly version: string
  readonly capabilities: EngineCapabilities
}

/** What something inside a panel used of a meter in an interval; times are ISO 8601 in UTC, the quantity is decimal. */
export type UsageReading = {
  readonly kind: ResourceKind
  readonly externalId: string
  readonly meter: string
  readonly from: string
  readonly to: string
  readonly quantity: string
}

/**
 * A hosting engine, as far as the portal needs one: it makes tenants, lets people into them, and reports what is in them.
 * Every call may be repeated, and one that throws is worth repeating later.
 */
export type PanelEngine = {
  health(): Promise<Health>
  /** Idempotent on `panelId`. */
  createPanel(panel: NewPanel): Promise<Made>
  readPanel(externalId: string): Promise<EnginePanel>
  updatePanel(externalId: string, patch: { readonly name: string }): Promise<void>
  suspendPanel(externalId: string, reason: string): Promise<void>
  unsuspendPanel(externalId: string): Promise<void>
  /** Whether the panel is gone; `false` while the engine is still at it. One that is not there is gone. */
  deletePanel(panel: PanelRef): Promise<boolean>
  /** A link that lets one person in, once. */
  createSsoLink(externalId: string, ask: SsoAsk): Promise<SsoLink>
  /** Ends what a person has open in a panel; one who never was there is no fault. */
  revokeSubject(externalId: string, subject: string): Promise<void>
  listResources<K extends ResourceKind>(
    externalId: string,
    kind: K,
    cursor?: string,
  ): Promise<{ items: readonly EngineResource<K>[]; next?: string }>
  /** Only of engines whose usage is pulled. */
  pullUsage?(externalId: string, from: Date, to: Date): Promise<readonly UsageReading[]>
}

/** How one engine is reached. The first secret is the newest; both are live. */
export type EngineAccess = {
  readonly id: number
  readonly code: string
  readonly kind: 'simulated' | 'http'
  readonly baseUrl: string | null
  readonly secrets: readonly string[]
  readonly capabilities: EngineCapabilities
}

/** Speaks to any engine that is registered. */
export type Engines = { open(access: EngineAccess): PanelEngine }
