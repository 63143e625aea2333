import pg from 'pg'
import { type Connection, pgConfig } from '../db/connection.ts'

/** Connections for the job queue. One that is lost is replaced at its next use; `lost` is only told of it. */
export function queuePool(connection: Connection, size: number, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...pgConfig(connection), max: size, connectionTimeoutMillis: 5000 })
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}
