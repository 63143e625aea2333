import { panelStatus } from '@portico/contract/resources/panels.ts'
import * as z from 'zod/mini'
import type { Actor, RowOf } from '../db/context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'
import { enqueue } from './enqueue.ts'

type Panel = RowOf<'panels'>
type Tx = { readonly tx: Database }

// The job queue wants few queue names; panels that share one merely wait for each other.
const queues = 32

/** What is asked of the engine about one panel is asked in the order in which it was wished for. */
function queueOf(panelId: number): string {
  return `panels-${panelId % queues}`
}

/** Columns that a client cannot choose: a panel belongs to the owner of its workspace, whoever adds it. */
export function newPanel(asked: {
  readonly actor: Actor
  readonly related: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
}): { client_id: number; status: string } {
  const owner = asked.related.project?.client_id
  if (owner !== asked.actor.id)
    throw new Problem('forbidden', 'Only the owner of a workspace may add panels to it.')
  return { client_id: asked.actor.id, status: 'provisioning' }
}

/** A panel begins as a wish; the engine makes it true. */
export async function panelCreated({ tx }: Tx, panel: Panel): Promise<void> {
  await enqueue(tx, 'panel.provision', { panelId: panel.id }, { queue: queueOf(panel.id) })
}

/** Adds a panel to a workspace without a request, as a set-up does. */
export async function addPanel(
  tx: Database,
  panel: { client_id: number; project_id: number; name: string; plan_code: string | null },
): Promise<Panel> {
  const row = await tx.insertInto('panels').values(panel).returningAll().executeTakeFirstOrThrow()
  await panelCreated({ tx }, row)
  return row
}

/** The engine shows the panel under the name it has here. */
export async function panelUpdated({ tx }: Tx, panel: Panel, before: Panel): Promise<void> {
  if (panel.name === before.name) return
  await enqueue(
    tx,
    'panel.rename',
    { panelId: panel.id },
    { queue: queueOf(panel.id), key: `panel.rename:${panel.id}` },
  )
}

/** A panel is gone when its engine has confirmed it; until then it is being deleted. */
export async function removePanel({ tx }: Tx, panel: Panel): Promise<void> {
  await tx.updateTable('panels').set({ status: 'deleting' }).where('id', '=', panel.id).execute()
  await enqueue(tx, 'panel.delete', { panelId: panel.id }, { queue: queueOf(panel.id) })
}

async function enqueueSync(tx: Database, panelId: number): Promise<void> {
  await enqueue(
    tx,
    'panel.sync',
    { panelId },
    { queue: queueOf(panelId), key: `panel.sync:${panelId}`, attempts: 3 },
  )
}

/** Asks for a reading soon: nothing outside is called while a request's transaction is open. */
export async function requestSync(
  { tx }: Tx,
  { row }: { row: Panel },
): Promise<{ status: z.output<typeof panelStatus>; synced_at: string | null }> {
  if (row.external_id === null) throw new Problem('conflict', 'This panel is not ready yet.')
  await enqueueSync(tx, row.id)
  return { status: z.parse(panelStatus, row.status), synced_at: row.synced_at }
}

const syncEveryMs = 45_000
const syncAtOnce = 200

/**
 * Asks for a reading of the panels whose turn it is, a batch at a time, and puts each to the end of the line whether its
 * reading will succeed or not. Several replicas may ask at once: each panel is taken by one of them.
 */
export async function requestDueSyncs(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const due = tx
      .selectFrom('panels')
      .select('id')
      .where('external_id', 'is not', null)
      .where('status', 'in', ['active', 'degraded', 'suspended'])
      .where('sync_due_at', '<=', now.toISOString())
      .orderBy('sync_due_at')
      .limit(syncAtOnce)
      .forUpdate()
      .skipLocked()
    const taken = await tx
      .updateTable('panels')
      .set({ sync_due_at: new Date(now.getTime() + syncEveryMs).toISOString() })
      .where('id', 'in', due)
      .returning('id')
      .execute()
    for (const { id } of taken) await enqueueSync(tx, id)
    return taken.length
  })
}
