import type { Connection } from './db/connection.ts'
import { startEmbedded } from './db/embedded.ts'
import { reachDatabase } from './db/external.ts'
import { migrate } from './db/migrate.ts'
import { CannotStart, readEnv } from './env.ts'
import { installJobs } from './jobs/install.ts'

async function migrateAndTell(connection: Connection): Promise<void> {
  const applied = await migrate(connection, { say: console.log })
  await installJobs(connection)
  for (const name of applied) console.log(`Applied ${name}.`)
  console.log(applied.length === 0 ? 'The database is current already.' : 'The database is current.')
}

/** `npm run migrate`: brings the database that the configuration names to the newest schema, and ends. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  if (env.databaseUrl !== undefined) return migrateAndTell(await reachDatabase(env.databaseUrl, console.log))
  const embedded = await startEmbedded({ dataDir: env.dataDir, say: console.log })
  try {
    await migrateAndTell(embedded.connection)
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
