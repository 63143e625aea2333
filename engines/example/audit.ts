import { type Call, pageSize } from './calls.ts'
import type { Fields } from './offers.ts'

const keptMs = 90 * 86_400_000

/** The audit of panels, newest first, kept for 90 days. */
export class Audit {
  readonly #acts = new Map<string, Fields[]>()
  #noted = 0

  /** Notes an act of the person whom the portal names in the body. */
  note({ parts: [panel = ''], body }: Call, action: string, target?: string): void {
    const at = new Date().toISOString()
    const actor = body.actor ?? { subject: null, kind: 'system' }
    const act = { id: `a-${++this.#noted}`, at, actor, label: null, action, target: target ?? null, ip: null }
    this.#acts.set(panel, [act, ...(this.#acts.get(panel) ?? [])])
  }

  /** A page from a place, and the cursor of the next. */
  page(panel: string, from: number): Fields {
    const kept = (this.#acts.get(panel) ?? []).filter(
      ({ at }) => Date.parse(String(at)) > Date.now() - keptMs,
    )
    const next = from + pageSize
    return { items: kept.slice(from, next), next: next < kept.length ? String(next) : null }
  }
}
