import type pg from 'pg'
import type { Connection } from '#platform/db/connection.ts'
import { makePool } from '#platform/db/hosts/connect.ts'

/**
 * Connections of the job queue. A lost one is replaced at its next use; `lost` is called for information
 * only.
 */
export function queuePool(connection: Connection, size: number, lost: (error: Error) => void): pg.Pool {
  const pool = makePool(connection, { max: size, connectionTimeoutMillis: 5000 })
  pool.on('error', lost)
  // A connection that is lost during a statement fails that statement, which reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
