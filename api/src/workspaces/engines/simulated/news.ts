import type { EngineEvent } from '@portico/contract/engine/events.ts'
import { type EnginePanelStatus, resourceKind } from '@portico/contract/engine/wire.ts'
import { listing, type Tenant } from './tenant.ts'

// More panels than this occur only in load tests, and their changes are not reported.
const most = 200

/** The events that the simulated engine has sent to the portal, and those that are still to be sent. */
export class News {
  /** The last reported state of each resource, by panel. */
  readonly #reported = new Map<string, Map<string, string>>()
  #waiting: EngineEvent[] = []

  knows(panel: string): boolean {
    return this.#reported.has(panel)
  }

  know(panel: string): void {
    if (this.#reported.size < most && !this.#reported.has(panel)) this.#reported.set(panel, new Map())
  }

  /** Whether the panel was known. */
  forget(panel: string): boolean {
    return this.#reported.delete(panel)
  }

  report(panel: string, status: EnginePanelStatus, at: Date): void {
    if (this.#waiting.length >= most) return
    this.#waiting.push({ type: 'panel.status', panel, occurred_at: at.toISOString(), status })
  }

  /** The events since the last call: changed panels and resources. */
  changes(tenantOf: (panel: string) => Tenant, at: Date): EngineEvent[] {
    const events = this.#waiting.splice(0)
    for (const [panel, reported] of this.#reported)
      for (const kind of resourceKind.options)
        for (const { externalId: id, ...resource } of listing[kind](tenantOf(panel), at)) {
          const now = JSON.stringify(resource)
          if (reported.get(`${kind} ${id}`) === now) continue
          reported.set(`${kind} ${id}`, now)
          // The listing of a kind holds that kind, which the compiler cannot see through the loop.
          const event = { id, ...resource } as Extract<EngineEvent, { type: 'resource.upserted' }>['resource']
          events.push({ type: 'resource.upserted', panel, occurred_at: at.toISOString(), resource: event })
        }
    return events
  }

  /** Takes undelivered events back, so that they are reported again. */
  undelivered(events: readonly EngineEvent[]): void {
    this.#waiting.unshift(...events.filter(({ type }) => type === 'panel.status'))
    for (const event of events)
      if (event.type === 'resource.upserted')
        this.#reported.get(event.panel)?.delete(`${event.resource.kind} ${event.resource.id}`)
  }
}
