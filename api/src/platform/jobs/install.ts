import { Logger, runMigrations } from 'graphile-worker'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { queuePool } from './queue-pool.ts'

/** Installs or updates the tables of the job queue. Concurrent replicas are serialized. */
export async function installJobs(connection: Connection): Promise<void> {
  await withClient(connection, async (client) => {
    // A session lock would stay behind in a pooler that keeps sessions, and the next start would wait for it.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.jobTables])
    const pgPool = queuePool(connection, 1, () => undefined)
    try {
      await runMigrations({ pgPool, logger: new Logger(() => () => undefined) })
    } finally {
      await pgPool.end()
    }
    await client.query('commit')
  })
}
