import { createHash } from 'node:crypto'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { refuse } from '#platform/errors/problem.ts'

/** A message of an engine with a verified signature. */
export type SignedMessage = {
  readonly engineId: number
  /** Its `webhook-id`: the same when it is sent again. */
  readonly id: string
  readonly body: Buffer
}

/**
 * Processes a message of an engine once: the answer is stored for ten minutes, and a repeated message gets
 * the same one. Returns the receipt as JSON. Throws `webhook_id_reused` when another message has the same id.
 */
export async function answeredOnce(
  db: Database,
  message: SignedMessage,
  now: Date,
  take: (tx: Database) => Promise<unknown>,
): Promise<string> {
  const body_hash = createHash('sha256').update(message.body).digest()
  return transact(db, 'read write', async (tx) => {
    const of = { panel_engine_id: message.engineId, webhook_id: message.id }
    const claimed = await tx
      .insertInto('engine_messages')
      .values({ ...of, body_hash, received_at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('webhook_id')
      .executeTakeFirst()
    if (!claimed) {
      const before = await tx
        .selectFrom('engine_messages')
        .select(['receipt', 'body_hash'])
        .where('panel_engine_id', '=', of.panel_engine_id)
        .where('webhook_id', '=', of.webhook_id)
        .executeTakeFirstOrThrow()
      if (before.receipt !== null && before.body_hash.equals(body_hash)) return before.receipt
      throw refuse('webhook_id_reused')
    }
    const receipt = JSON.stringify(await take(tx))
    await tx
      .updateTable('engine_messages')
      .set({ receipt })
      .where('panel_engine_id', '=', of.panel_engine_id)
      .where('webhook_id', '=', of.webhook_id)
      .execute()
    return receipt
  })
}
