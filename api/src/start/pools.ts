import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { type Connection, connectionFromUrl } from '#platform/db/connection.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { Pool } from '#platform/db/pool.ts'

/** The connections of a process to its database, and to the replica of it if there is one. */
export type Pools = { readonly pool: Pool; readonly reads: Reads }

/** Opens the pools. The replica may be away: it is tried when something is read. */
export function openPools(env: Env, connection: Connection, log: Logger): Pools {
  const pool = new Pool(connection, env.poolSize, (error) =>
    log.warn({ err: error }, 'database connection lost'),
  )
  const { databaseReadUrl } = env
  if (databaseReadUrl === undefined) return { pool, reads: new Reads(pool) }
  const replica = new Pool(connectionFromUrl(databaseReadUrl), env.poolSize, (error) =>
    log.warn({ err: error }, 'connection to the replica lost'),
  )
  return { pool, reads: new Reads(pool, replica, log) }
}
