import type { ExceededLimit } from '@portico/contract/engine/offers.ts'
import type { ListedPanel, PanelCheckAnswer } from '@portico/contract/engine/panel-calls.ts'
import type { AuditPage, EngineSeries } from '@portico/contract/engine/readings.ts'
import type { PowerVerb } from '@portico/contract/engine/reasons.ts'
import type {
  EngineActor,
  EngineCapabilities,
  EnginePanelStatus,
  EngineReason,
  ResourceKind,
  ResourceState,
  resourceSpec,
  SsoScope,
} from '@portico/contract/engine/wire.ts'
import type * as z from 'zod/mini'

/**
 * A resource in a panel, as its engine currently reports it; its `spec` uses the names of the portal's own
 * types.
 */
export type EngineResource<K extends ResourceKind = ResourceKind> = {
  readonly kind: K
  readonly externalId: string
  readonly name: string
  readonly status: ResourceState
  readonly region: string | null
  readonly spec: z.output<(typeof resourceSpec)[K]>
  readonly reasons?: readonly EngineReason[] | undefined
}

export type NewPanel = {
  /** The portal's id; repeating the creation with it makes no second panel. */
  readonly panelId: number
  readonly name: string
  readonly plan: string | null
  readonly region: string | null
  /** A host name, as DNS writes it. */
  readonly domain: string | null
  readonly owner: PanelOwner
  /** The actor on whose behalf the change is made. */
  readonly actor: EngineActor
}

export type PanelOwner = { readonly subject: string; readonly displayName: string; readonly email: string }

/** The portal itself, for example a scheduled job. */
export const system: EngineActor = { subject: null, kind: 'system' }

/**
 * The reference of a panel for its engine. Without an `externalId` its creation may or may not have reached
 * the engine.
 */
export type PanelRef = NewPanel & { readonly externalId: string | null }

/** The state of a panel as its engine reports it. */
export type EnginePanel = {
  readonly status: EnginePanelStatus
  readonly region: string | null
  readonly plan: string | null
  readonly reasons: readonly EngineReason[]
  /** In percent, while it is being made. */
  readonly progress?: number | null | undefined
  /** Where people sign in by themselves; absent: as before. */
  readonly loginUrl?: string | null | undefined
}

/** The outcome of a creation: created or in progress, or refused permanently. */
export type Made =
  | (Pick<EnginePanel, 'status' | 'region' | 'progress' | 'loginUrl'> & {
      readonly refused: false
      readonly externalId: string
    })
  | { readonly refused: true; readonly reason: string }

/** A change that an engine can be asked about without making it. */
export type Question =
  | { readonly panel: Omit<NewPanel, 'panelId'> }
  | { readonly externalId: string; readonly plan: string }

/** Another plan for a panel. What is asked again under the same `changeId` is done once. */
export type PlanAsk = { readonly plan: string; readonly changeId: string; readonly actor: EngineActor }

/** The answer to a change of plan: done, accepted for later, or refused for good with nothing changed. */
export type PlanAnswer =
  | { readonly state: 'done' | 'waiting' }
  | {
      readonly state: 'refused'
      readonly code: string
      readonly reason: string
      readonly exceeded: readonly ExceededLimit[]
    }

/** A change of a server's power. A repeated request with the same `requestId` is done once. */
export type PowerAsk = {
  readonly action: PowerVerb
  readonly force: boolean
  readonly requestId: string
  readonly actor: EngineActor
}

/** The answer: done, with the server as it is now, under way, or refused with nothing done. */
export type PowerAnswer =
  | { readonly state: 'done'; readonly server: EngineResource<'server'> }
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly code: string }

/** To which panel of the portal an account of an engine is linked. */
export type Adoption = Pick<NewPanel, 'panelId' | 'name' | 'owner' | 'actor'>

/** The person who opens a panel, and their rights in it. */
export type SsoAsk = {
  /** A stable name of the person. */
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
  /** The version of the contract that it speaks. */
  readonly contract: string
  readonly capabilities: EngineCapabilities
  readonly reasons?: readonly EngineReason[] | undefined
}

/** The usage of a meter by a resource in an interval; times are ISO 8601 in UTC, the quantity is decimal. */
export type UsageReading = {
  readonly kind: ResourceKind
  readonly externalId: string
  readonly meter: string
  readonly from: string
  readonly to: string
  readonly quantity: string
}

/**
 * The part of a hosting engine that the portal needs: it creates tenants, lets people sign in to them, and
 * reports their content. Every call is idempotent, and one that throws can be retried later.
 */
export type PanelEngine = {
  health(): Promise<Health>
  /** Idempotent on `panelId`. */
  createPanel(panel: NewPanel): Promise<Made>
  readPanel(externalId: string): Promise<EnginePanel>
  updatePanel(
    externalId: string,
    patch: { readonly name: string; readonly actor: EngineActor },
  ): Promise<void>
  suspendPanel(externalId: string, reason: string): Promise<void>
  unsuspendPanel(externalId: string): Promise<void>
  /** True when the panel is deleted or missing; `false` while the deletion is in progress. */
  deletePanel(panel: PanelRef): Promise<boolean>
  /** A single-use sign-in link for one person. */
  createSsoLink(externalId: string, ask: SsoAsk): Promise<SsoLink>
  /** Ends a person's sessions in a panel; an unknown person is no error. */
  revokeSubject(externalId: string, subject: string): Promise<void>
  listResources<K extends ResourceKind>(
    externalId: string,
    kind: K,
    cursor?: string,
  ): Promise<{ items: readonly EngineResource<K>[]; next?: string }>
  /** Whether what is asked about would be done; with the capability `check`. */
  check(question: Question): Promise<PanelCheckAnswer>
  /** With the capability `change_plan`. */
  changePlan(externalId: string, ask: PlanAsk): Promise<PlanAnswer>
  /** The last day of a server or cluster; undefined when it is not there. With the capability `series`. */
  readSeries?(
    externalId: string,
    resource: { readonly kind: ResourceKind; readonly id: string },
  ): Promise<EngineSeries | undefined>
  /** The audit of a panel, newest first, a page at a time; with the capability `audit`. */
  readAudit?(externalId: string, cursor?: string): Promise<AuditPage>
  /** With the verb in the capability `power`. */
  powerServer?(externalId: string, server: string, ask: PowerAsk): Promise<PowerAnswer>
  /** All panels of the engine, a page at a time, or the one that has this id of ours; with the capability `list`. */
  listPanels?(which: {
    readonly cursor?: string
    readonly panelId?: number
  }): Promise<{ items: readonly ListedPanel[]; next?: string }>
  /** Links an unlinked account to a panel; false when another panel has it. Requires the capability `adopt`. */
  adoptPanel?(externalId: string, adoption: Adoption): Promise<boolean>
  /** Takes a link back and deletes nothing; false when the account is another panel's. With the capability `adopt`. */
  releasePanel?(externalId: string, by: Pick<Adoption, 'panelId' | 'actor'>): Promise<boolean>
  /** For an engine without storage: restores the current plan and domain of a panel before its first call. */
  remember?(panel: Pick<PanelRef, 'externalId' | 'plan' | 'domain'>): void
  /** Only for engines whose usage is pulled. */
  pullUsage?(externalId: string, from: Date, to: Date): Promise<readonly UsageReading[]>
}

/** The address and secrets of one engine. The first secret is the newest; both are active. */
export type EngineAccess = {
  readonly id: number
  readonly code: string
  readonly kind: 'simulated' | 'http'
  readonly baseUrl: string | null
  /** The version of the contract that it said it speaks. */
  readonly contract: string
  readonly secrets: readonly string[]
  readonly capabilities: EngineCapabilities
}

/** Opens an adapter for any registered engine. */
export type Engines = { open(access: EngineAccess): PanelEngine }
