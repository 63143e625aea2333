import { panelStatus } from '@portico/contract/resources/panels.ts'
import * as z from 'zod/mini'
import type { Context, RowOf } from '../db/context.ts'
import { Problem } from '../errors/problem.ts'
import { enqueue } from './enqueue.ts'

type PanelStatus = z.output<typeof panelStatus>

/** What is asked of the engine about one panel is asked in the order in which it was wished for. */
export const queueOf = (panelId: number): string => `panel:${panelId}`

/** Columns a client cannot choose: a panel is billed to the owner of its workspace, whoever adds it. */
export function newPanel({ actor, related }: Pick<Context, 'actor'> & { related: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> }) {
  const owner = related.project?.client_id
  if (owner !== actor.id) throw new Problem('forbidden', 'Only the owner of a workspace may add panels to it.')
  return { client_id: owner, status: 'provisioning' }
}

/** A panel begins as a wish; the engine makes it true. */
export async function panelCreated({ tx }: Context, panel: RowOf<'panels'>): Promise<void> {
  await enqueue(tx, 'panel.provision', { panelId: panel.id }, { queue: queueOf(panel.id) })
}

/** The engine shows the panel under the name it has here. */
export async function panelUpdated({ tx }: Context, panel: RowOf<'panels'>, before: RowOf<'panels'>): Promise<void> {
  if (panel.name === before.name) return
  await enqueue(tx, 'panel.rename', { panelId: panel.id }, { queue: queueOf(panel.id), key: `rename:${panel.id}` })
}

/** A panel leaves the lists when its engine has confirmed that it is gone; until then it is being deleted. */
export async function removePanel({ tx }: Context, panel: RowOf<'panels'>): Promise<void> {
  await tx.updateTable('panels').set({ status: 'deleting' }).where('id', '=', panel.id).execute()
  await enqueue(tx, 'panel.delete', { panelId: panel.id }, { queue: queueOf(panel.id) })
}

/** Asks for a reading soon; nothing outside is called while the request's transaction is open. */
export async function requestSync(
  { tx }: Context,
  { row }: { row: RowOf<'panels'> },
): Promise<{ status: PanelStatus; synced_at: string | null }> {
  if (row.external_id === null) throw new Problem('conflict', 'This panel is not ready yet.')
  await enqueue(tx, 'panel.sync', { panelId: row.id }, { queue: queueOf(row.id), key: `sync:${row.id}` })
  return { status: z.parse(panelStatus, row.status), synced_at: row.synced_at }
}
