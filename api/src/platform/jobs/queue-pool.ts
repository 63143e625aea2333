import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Connection } from '#platform/db/connection.ts'
import { makePool } from '#platform/db/hosts/connect.ts'

const connected = new WeakMap<pg.Pool, Set<pg.PoolClient>>()
/** How long a queue that has ended may keep a connection. */
const returnMs = 1000

/**
 * Connections of the job queue. A lost one is replaced at its next use; `lost` is called for information
 * only.
 */
export function queuePool(connection: Connection, size: number, lost: (error: Error) => void): pg.Pool {
  const pool = makePool(connection, { max: size, connectionTimeoutMillis: 5000 })
  pool.on('error', lost)
  // A connection that is lost during a statement fails that statement, which reports it.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    const clients = connected.get(pool) ?? new Set()
    connected.set(pool, clients.add(client))
    client.once('end', () => clients.delete(client))
  })
  return pool
}

/** Closes the connections once they are returned, and those that are not returned soon. */
export async function closeQueuePool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(returnMs, undefined, { ref: false })])
  for (const client of connected.get(pool) ?? []) void client.end().catch(() => undefined)
}
