import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

/** Has the engine end what a person has open in panels, in the transaction that takes the person's rights away. */
export async function requestRevocation(tx: Database, panelIds: readonly number[], clientId: number) {
  for (const panelId of panelIds)
    await enqueue(tx, 'panel.revoke', { panelId, clientId }, { key: `panel.revoke:${panelId}:${clientId}` })
}
