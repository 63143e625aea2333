import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { migrateSafely } from '#platform/backup/kept-archives.ts'
import type { Connection } from '#platform/db/connection.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { reachDatabase } from '#platform/db/external.ts'
import { installJobs } from '#platform/jobs/install.ts'

async function migrateAndTell(env: Env, connection: Connection): Promise<void> {
  const applied = await migrateSafely(env, connection, { say: console.log })
  await installJobs(connection)
  for (const name of applied) console.log(`Applied ${name}.`)
  console.log(applied.length === 0 ? 'The database is already current.' : 'The database is current.')
}

/** `npm run migrate`: migrates the configured database to the newest schema, and exits. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const { databaseUrl, databaseDirectUrl } = env
  if (databaseUrl !== undefined)
    return migrateAndTell(env, await reachDatabase({ databaseUrl, databaseDirectUrl }, console.log))
  const embedded = await startEmbedded({ dataDir: env.dataDir, say: console.log })
  try {
    await migrateAndTell(env, embedded.connection)
  } finally {
    await embedded.stop()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
