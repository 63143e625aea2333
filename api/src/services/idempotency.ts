import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/** Forgets answers to POSTs that moved no money after seven days; those that did are kept. */
export async function pruneKeys(tx: Database): Promise<void> {
  await sql`delete from idempotency_keys where not keep and created_at < now() - interval '7 days'`.execute(
    tx,
  )
}
