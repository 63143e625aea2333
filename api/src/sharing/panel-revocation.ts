import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

/** Asks the engine to end a person's sessions in panels, in the transaction that revokes their rights. */
export async function requestRevocation(tx: Database, panelIds: readonly number[], clientId: number) {
  for (const panelId of panelIds)
    await enqueue(tx, 'panel.revoke', { panelId, clientId }, { key: `panel.revoke:${panelId}:${clientId}` })
}
