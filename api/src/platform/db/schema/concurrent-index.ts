import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'

const statement = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/im

/** The index that a migration creates while its table is written; PostgreSQL refuses other statements beside. */
export const concurrentIndexOf = (sql: string): string | undefined => statement.exec(sql)?.[1]

/**
 * Creates an index without a transaction, on a connection of its own. An earlier attempt may have been
 * interrupted before it was recorded: its index is kept when it is complete, and replaced otherwise.
 */
export async function createConcurrently(connection: Connection, sql: string, index: string): Promise<void> {
  await withClient(connection, async (client) => {
    const { rows } = await client.query<{ complete: boolean }>(
      'select indisvalid as complete from pg_index where indexrelid = to_regclass($1)',
      [index],
    )
    if (rows[0]?.complete) return
    if (rows[0]) await client.query(`drop index concurrently ${index}`)
    await client.query(sql)
  })
}
