import pg from 'pg'
import { type Connection, pgConfig } from '#platform/db/connection.ts'

/** Connections for the job queue. One that is lost is replaced at its next use; `lost` is only told of it. */
export function queuePool(connection: Connection, size: number, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...pgConfig(connection), max: size, connectionTimeoutMillis: 5000 })
  pool.on('error', lost)
  // A connection that is lost at work fails the statement that it was at, which is told there.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
