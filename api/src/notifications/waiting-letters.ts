import type { Database } from '#platform/db/pool.ts'

/** The number of letters that wait to be sent. */
export async function countWaitingLetters(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('outbox_letters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives up all letters that wait. */
export async function dropWaitingLetters(db: Database, now: Date): Promise<void> {
  await db
    .updateTable('outbox_letters')
    .set({ failed_at: now.toISOString(), last_error: null, sealed: null })
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
}
