import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** Sets a setting of PostgreSQL until the transaction ends. */
export async function setForTransaction(tx: Database, name: string, value: string): Promise<void> {
  await sql`select set_config(${name}, ${value}, true)`.execute(tx)
}
