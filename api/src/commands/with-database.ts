import type { Env } from '#config/env.ts'
import { migrateSafely } from '#platform/backup/kept-archives.ts'
import type { Connection } from '#platform/db/connection.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { runningEmbedded } from '#platform/db/embedded/running.ts'
import { reachDatabase } from '#platform/db/external.ts'
import { Pool } from '#platform/db/pool.ts'
import { openVault } from '#platform/open-vault.ts'
import type { Vault } from '#platform/vault.ts'

/**
 * Opens the portal's database: the configured one, that of a running portal, or the embedded one, started for
 * this command.
 */
async function open(env: Env): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const close = async () => undefined
  const { databaseUrl, databaseDirectUrl } = env
  if (databaseUrl !== undefined)
    return { connection: await reachDatabase({ databaseUrl, databaseDirectUrl }, console.log), close }
  const running = runningEmbedded(env.dataDir)
  if (running) return { connection: running, close }
  const embedded = await startEmbedded({ dataDir: env.dataDir, say: console.log })
  return { connection: embedded.connection, close: embedded.stop }
}

/** Runs work on the portal's database as it is, whether or not the portal is running. */
export async function withConnection<T>(env: Env, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { connection, close } = await open(env)
  try {
    return await work(connection)
  } finally {
    await close()
  }
}

/**
 * Runs an operator's command, such as `staff:add`, on the portal's database, migrated to the newest schema, whether or not the
 * portal is running. What it changes of the operator's own is logged with its name.
 */
export function withDatabase(
  env: Env,
  command: string,
  work: (pool: Pool, vault: Vault, connection: Connection) => Promise<void>,
): Promise<void> {
  return withConnection(env, async (plain) => {
    await migrateSafely(env, plain, { say: console.log })
    const connection = { ...plain, because: `npm run ${command}` }
    const { vault } = await openVault(env, connection)
    const pool = new Pool(connection, 1, () => undefined)
    await work(pool, vault, connection).finally(() => pool.close())
  })
}
