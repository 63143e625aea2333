import { sql } from 'kysely'
import type { Pool } from '#platform/db/pool.ts'
import { until } from './temporary.ts'

/** Waits until so many statements of this database wait for a lock. */
export async function untilBlocked({ kysely }: Pool, many = 1): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely)
    return rows.length >= many
  })
}
