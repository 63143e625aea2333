import { sql } from 'kysely'
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

/** An update that gives up letters that wait, and deletes their texts. */
const waiting = (db: Database, now: Date) =>
  db
    .updateTable('outbox_letters')
    .set({ failed_at: now.toISOString(), last_error: null, sealed: null })
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)

/** Gives up all letters that wait. */
export async function dropWaitingLetters(db: Database, now: Date): Promise<void> {
  await waiting(db, now).execute()
}

/** Gives up the letters that ask an address to confirm itself, and wait. */
export async function dropConfirmations(db: Database, email: string, now: Date): Promise<void> {
  await waiting(db, now)
    .where(sql`lower(recipient)`, '=', email.toLowerCase())
    .where('kind', '=', 'verify-email')
    .execute()
}
