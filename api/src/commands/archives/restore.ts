import path from 'node:path'
import { withConnection } from '#commands/with-database.ts'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { checkArchive } from '#platform/backup/check-archive.ts'
import { assertRestorable, loadArchive } from '#platform/backup/load-archive.ts'
import { readManifest } from '#platform/backup/manifest.ts'
import type { Connection } from '#platform/db/connection.ts'
import { setAsideOtherMajor } from '#platform/db/embedded/cluster.ts'
import { Problem } from '#platform/errors/problem.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { openVault } from '#platform/open-vault.ts'
import { restoreFiles } from '#privacy/stored-files/archive-files.ts'

const usage = `Usage: npm run restore -- FOLDER

Restores an archive of npm run backup into the configured database, which must be empty. An embedded database of another
version of PostgreSQL is set aside.`

/** Advises the operator when the configured secret is not the one that the restored rows were sealed with. */
async function aboutSecret(env: Env, connection: Connection): Promise<string[]> {
  try {
    await openVault(env, connection)
    return []
  } catch (error) {
    if (error instanceof CannotStart) return [error.message]
    throw error
  }
}

/** `npm run restore -- FOLDER`. */
async function main([given, ...more]: string[]): Promise<void> {
  if (given === undefined || given.startsWith('-') || more.length > 0) throw new CannotStart(usage)
  const folder = path.resolve(given)
  const env = readEnv(process.env)
  const manifest = await readManifest(folder)
  await checkArchive(folder, manifest)
  const kept = env.databaseUrl === undefined ? await setAsideOtherMajor(env.dataDir) : undefined
  if (kept) console.log(`The database of another version of PostgreSQL is kept in ${kept}.`)
  await withConnection(env, async (connection) => {
    await assertRestorable(connection, manifest)
    const { storage } = await filePartsOf(env)
    if (manifest.files) await restoreFiles(storage, folder)
    await loadArchive(connection, folder, manifest)
    const lines = [
      `The database of ${manifest.madeAt} is restored${manifest.files ? `, with ${manifest.files.count} files` : ''}.`,
      'npm run verify compares the ledger and the files.',
    ]
    console.log([...lines, ...(await aboutSecret(env, connection))].join('\n'))
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof Problem
  console.error(expected ? error.message : error)
  process.exitCode = 1
}
