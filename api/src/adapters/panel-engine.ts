export type ResourceKind = 'server' | 'cluster' | 'domain'

export type ResourceState = 'running' | 'starting' | 'stopped' | 'degraded' | 'error'

/** What differs from kind to kind, under the attribute names of the portal's own types. */
export type ResourceSpec = {
  server: { ipv4: string; vcpus: number; memory_gb: number; disk_gb: number; cpu_percent: number }
  cluster: { nodes: number; nodes_ready: number; vcpus: number; memory_gb: number; cpu_percent: number }
  domain: { mailboxes: number; tls_expires_on: string | null }
}

/** One thing inside a panel, as its engine reports it at this moment. */
export type EngineResource<K extends ResourceKind = ResourceKind> = {
  readonly kind: K
  readonly externalId: string
  readonly name: string
  readonly status: ResourceState
  readonly region: string | null
  readonly spec: ResourceSpec[K]
}

export type NewPanel = {
  /** Ours; asking twice for the same one makes one. */
  readonly panelId: number
  readonly name: string
  readonly plan: string | null
}

/** A panel at its engine. Without an `externalId` its creation may or may not have reached the engine. */
export type PanelRef = { readonly panelId: number; readonly externalId: string | null }

/** What became of a panel asked for: made, or refused for good, so that asking again changes nothing. */
export type Made =
  | { readonly refused: false; readonly externalId: string; readonly region: string | null }
  | { readonly refused: true; readonly reason: string }

/**
 * A hosting engine, as far as the portal needs one: it makes tenants and reports what is in them. Every call may be
 * repeated, and one that throws is worth repeating.
 */
export type PanelEngine = {
  readonly capabilities: { readonly kinds: readonly ResourceKind[] }
  createPanel(panel: NewPanel): Promise<Made>
  updatePanel(panel: PanelRef, patch: { name: string }): Promise<void>
  /** A panel that is not there counts as deleted. */
  deletePanel(panel: PanelRef): Promise<void>
  listResources<K extends ResourceKind>(
    externalId: string,
    kind: K,
    cursor?: string,
  ): Promise<{ items: readonly EngineResource<K>[]; next?: string }>
}
