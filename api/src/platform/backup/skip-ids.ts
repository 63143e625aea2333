import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

// Ids are known outside: panels, clients and plan changes at engines, payments, refunds, cards and customers at payment providers.

/** More than an original gives between a backup and its end, also of rows that grow fast. */
const gap = 1_000_000

/**
 * Moves every sequence of the portal on, so that no id is given again that the original of a restored database may have given after the
 * backup. Harmless when it gave none, and when it is repeated. A sequence that is too short for that counts rows of a catalog, which are
 * known outside by their codes.
 */
export async function skipIds(db: Database): Promise<void> {
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value) + ${sql.lit(gap)})
    from pg_sequences where schemaname = 'public' and max_value - ${sql.lit(gap)} > coalesce(last_value, start_value)`.execute(
    db,
  )
}
