import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

// Small enough that one batch takes a moment.
const pruneBatch = 5000

/** Deletes answers to POSTs that moved no money after seven days; the others are kept. */
export async function pruneKeys(db: Database, many = pruneBatch): Promise<void> {
  for (let more = true; more; ) {
    const { numAffectedRows } = await sql`delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where not keep and created_at < now() - interval '7 days' limit ${many}))`.execute(
      db,
    )
    more = numAffectedRows === BigInt(many)
  }
}
