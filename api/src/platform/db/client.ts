import type pg from 'pg'
import type { Connection } from './connection.ts'
import { connectClient } from './hosts/connect.ts'

/** Anything that runs a statement: a client, a pool, or one of its connections. */
export type Queryable = { query: (sql: string) => Promise<{ rows: unknown[] }> }

/** Connects, runs the work, and disconnects in any case. */
export async function withClient<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectClient(connection, 10_000)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
