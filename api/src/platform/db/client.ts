import pg from 'pg'
import { type Connection, pgConfig } from './connection.ts'

/** Anything that runs a statement: a client, a pool, or one of its connections. */
export type Queryable = { query: (sql: string) => Promise<{ rows: unknown[] }> }

/** Connects, runs the work, and disconnects in any case. */
export async function withClient<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...pgConfig(connection), connectionTimeoutMillis: 10_000 })
  // Ignores the event for a connection lost between two statements: the next statement fails and reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
