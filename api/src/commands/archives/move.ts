import fs from 'node:fs'
import path from 'node:path'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { copyOf, markActing } from '#platform/acts-as.ts'
import { checkArchive } from '#platform/backup/check-archive.ts'
import { assertRestorable, loadArchive } from '#platform/backup/load-archive.ts'
import { type Manifest, readManifest } from '#platform/backup/manifest.ts'
import { writeArchive } from '#platform/backup/write-archive.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { setAside } from '#platform/db/embedded/cluster.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { reachDatabase } from '#platform/db/external.ts'
import { pending } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { openVault } from '#platform/open-vault.ts'
import { storeTokenSecret } from '#platform/token-secret.ts'

const usage = `Usage: npm run move

Moves the embedded database of DATA_DIR into the empty database of DATABASE_URL, while the portal is stopped. The
stored files stay where they are. Set the variables of the portal as they will be afterwards.`

/** What was read from the embedded database. */
type Taken = {
  readonly manifest: Manifest
  readonly secret: string
  readonly copyBecause: string | undefined
}

/** Archives the embedded database. */
async function take(env: Env, from: Connection, folder: string, to: Connection): Promise<Taken> {
  const embedded = { ...env, databaseUrl: undefined }
  // A run that was killed may have left its archive.
  fs.rmSync(folder, { recursive: true, force: true })
  const [missing] = await withClient(from, pending)
  if (missing !== undefined)
    throw new CannotStart(
      `The database lacks migration ${missing}: move it with the version of Portico that it was used with, or start this one on it before.`,
    )
  const { secret } = await openVault(embedded, from)
  const copyBecause = await copyOf(embedded, from)
  await assertRestorable(to, await writeArchive(from, folder))
  return { manifest: await readManifest(folder), secret, copyBecause }
}

/** Loads the archive, with the secret that the portal made itself; returns the number of differences in the ledger. */
async function fill(env: Env, folder: string, to: Connection, { manifest, secret }: Taken): Promise<number> {
  await checkArchive(folder, manifest)
  await loadArchive(to, folder, manifest)
  if (env.tokenSecret === undefined) await storeTokenSecret(to, secret)
  const pool = new Pool(to, 1, () => undefined)
  return (await verifyLedger(pool.kysely).finally(() => pool.close())).length
}

/** Copies the embedded database, whose folder is locked meanwhile: what a portal wrote after the archive would be lost. */
async function copy(
  env: Env,
  folder: string,
  to: Connection,
): Promise<{ readonly taken: Taken; readonly differences: number }> {
  const server = await startEmbedded({ dataDir: env.dataDir, say: console.log })
  try {
    const taken = await take(env, server.connection, folder, to)
    return { taken, differences: await fill(env, folder, to, taken) }
  } finally {
    await server.stop()
  }
}

/** `npm run move`. */
async function main(args: string[]): Promise<void> {
  if (args.length > 0) throw new CannotStart(usage)
  const env = readEnv(process.env)
  const { databaseUrl, databaseDirectUrl, dataDir } = env
  if (databaseUrl === undefined) throw new CannotStart(`DATABASE_URL is not set.\n\n${usage}`)
  if (!fs.existsSync(path.join(dataDir, 'database', 'postgres')))
    throw new CannotStart(`There is no embedded database in ${dataDir}.`)
  const to = await reachDatabase({ databaseUrl, databaseDirectUrl }, console.log)
  const folder = path.join(dataDir, 'moving')
  try {
    const { taken, differences } = await copy(env, folder, to)
    // From here on only one of the two can be started.
    const retired = setAside(dataDir, 'moved')
    if (taken.copyBecause === undefined) await withClient(to, (client) => markActing(client, env))
    const rows = taken.manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const lines = [
      `${taken.manifest.tables.length} tables with ${rows} rows are in the database of DATABASE_URL; ${differences} differences in the ledger.`,
      `The embedded database is kept in ${retired}; remove it when you no longer need it.`,
      taken.copyBecause === undefined
        ? 'Start the portal with these variables: it acts as before.'
        : `It was a copy, because ${taken.copyBecause}, and still is: npm run takeover makes it act.`,
    ]
    console.log(lines.join('\n'))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
