import type { Host } from '../host.ts'
import type { Panel } from './truth.ts'

/** Tells the portal how a panel does. */
export function tellPanel({ tell }: Host, { id, state, region }: Panel): void {
  tell({ type: 'panel.status', panel: id, occurred_at: new Date().toISOString(), status: state, region })
}
