import type { AuditPage } from '@portico/contract/engine/readings.ts'
import type { EngineActor } from '@portico/contract/engine/wire.ts'

type Act = {
  readonly at: number
  readonly actor: EngineActor
  readonly action: string
  readonly target?: string
}

const pageSize = 25
const mostActs = 200
const mostPanels = 200

/** The audit of panels, while the process lives. */
export class Audit {
  readonly #panels = new Map<string, AuditPage['items']>()
  #noted = 0

  note(panel: string, { at, actor, action, target }: Act): void {
    const acts = this.#panels.get(panel) ?? []
    if (acts.length === 0 && this.#panels.size >= mostPanels) return
    const id = `a${++this.#noted}`
    acts.unshift({
      id,
      at: new Date(at).toISOString(),
      actor,
      label: null,
      action,
      target: target ?? null,
      ip: null,
    })
    this.#panels.set(panel, acts.slice(0, mostActs))
  }

  page(panel: string, cursor = '0'): AuditPage {
    const all = this.#panels.get(panel) ?? []
    const from = Math.max(0, Math.trunc(Number(cursor)) || 0)
    const next = from + pageSize
    return { items: all.slice(from, next), next: next < all.length ? String(next) : null }
  }
}
