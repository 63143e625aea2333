import type { Fields } from './offers.ts'
import type { Panel } from './panel.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The hours of panels, which is all that the example measures. */
export class Metering {
  /** The time up to which the usage of each panel was reported. */
  readonly #measured = new Map<string, number>()
  /** Unreported usage of panels that were deleted or unlinked. */
  #left: Fields[] = []

  begin(id: string): void {
    this.#measured.set(id, Date.now())
  }

  end(panel: Panel): void {
    this.#left.push(...this.#measure(panel, Date.now()))
    this.#measured.delete(panel.id)
  }

  used(panels: Iterable<Panel>, until: number): Fields[] {
    const events = [...this.#left, ...[...panels].flatMap((panel) => this.#measure(panel, until))]
    this.#left = []
    return events
  }

  /** The hours of a panel, cut at each midnight of UTC. What an event is of makes its id, so that it stays the same. */
  #measure({ id, panel_id }: Panel, until: number): Fields[] {
    const events: Fields[] = []
    // Usage of an unlinked panel is billed to no account.
    const since = panel_id === null ? until : (this.#measured.get(id) ?? until)
    for (let start = since; start < until; ) {
      const end = Math.min(until, (Math.floor(start / dayMs) + 1) * dayMs)
      const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
      const quantity = ((end - start) / hourMs).toFixed(6)
      const data = { resource: 'panel', meter: 'panel_hours', start: from, end: to, quantity }
      const about = { source: 'urn:engine:example', type: 'usage.v1', subject: `panel/${panel_id}` }
      events.push({ specversion: '1.0', id: `${id}:panel_hours:${from}`, ...about, data })
      start = end
    }
    this.#measured.set(id, Math.max(since, until))
    return events
  }
}
