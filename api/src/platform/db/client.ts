import pg from 'pg'
import { type Connection, pgConfig } from './connection.ts'

/** Whatever can run a statement: a client, a pool, or one connection of it. */
export type Queryable = { query: (sql: string) => Promise<{ rows: unknown[] }> }

/** Connects, works, and disconnects whatever came of it. */
export async function withClient<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...pgConfig(connection), connectionTimeoutMillis: 10_000 })
  // A connection lost between two statements is told here; the statement that comes next fails and tells it as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
