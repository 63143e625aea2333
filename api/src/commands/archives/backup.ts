import path from 'node:path'
import { parseArgs } from 'node:util'
import { withConnection } from '#commands/with-database.ts'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import type { Manifest } from '#platform/backup/manifest.ts'
import { writeArchive } from '#platform/backup/write-archive.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { pending } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { archiveFiles } from '#privacy/stored-files/archive-files.ts'

const usage = `Usage: npm run backup -- FOLDER [--database-only]

Writes the database and the stored files into a new or empty folder, also while the portal runs.
With --database-only the stored files are left out.`

function read(args: string[]): { folder: string; databaseOnly: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'database-only': { type: 'boolean', default: false } },
    })
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw new Error('One folder is needed.')
    return { folder: path.resolve(folder), databaseOnly: values['database-only'] }
  } catch (error) {
    throw new CannotStart(usage, { cause: error })
  }
}

/** Refuses a database of an older version, whose file names this version may not find. */
async function assertCurrent(connection: Connection): Promise<void> {
  const [missing] = await withClient(connection, pending)
  if (missing !== undefined)
    throw new CannotStart(
      `The database lacks migration ${missing}: back it up with the version of Portico that it was used with, or run npm run migrate first.`,
    )
}

async function withFiles(env: Env, connection: Connection, folder: string): Promise<Manifest> {
  const { storage } = await filePartsOf(env)
  const pool = new Pool(connection, 1, () => undefined)
  return writeArchive(connection, folder, () =>
    archiveFiles({ pool, storage }, folder, (line) => console.log(line)),
  ).finally(() => pool.close())
}

/** Tells the operator about files that are missing from the archive. */
async function aboutVersions(env: Env): Promise<string[]> {
  const { storage } = await filePartsOf(env)
  if (await storage.keepsVersions())
    return ['The stored files are not in it; their bucket keeps old versions.']
  return [
    env.s3
      ? 'The stored files are not in it, and their bucket keeps no old versions: turn its versioning on.'
      : `The stored files are not in it: back up ${path.join(env.dataDir, 'files')} after the database.`,
  ]
}

function described({ tables, files }: Manifest, folder: string): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const stored = files ? `, ${files.count} files of ${files.bytes} bytes` : ''
  return [
    `The archive in ${folder} is complete: ${tables.length} tables, ${rows} rows${stored}.`,
    ...(files && files.missing > 0
      ? [`${files.missing} files are damaged or missing in the storage, and are not in it.`]
      : []),
    'The secret is not in it: keep TOKEN_SECRET, or the key that the portal made, in another place.',
  ]
}

/** Records the time of a complete archive, for the metric of its age. */
const noteBackup = (connection: Connection) =>
  withClient(connection, (client) =>
    client.query(
      `insert into settings (key, value) values ('backup_at', to_jsonb(now()))
        on conflict (key) do update set value = excluded.value`,
    ),
  )

/** `npm run backup -- FOLDER`: writes an archive that `npm run restore` reads. */
async function main(args: string[]): Promise<void> {
  const { folder, databaseOnly } = read(args)
  const env = readEnv(process.env)
  await withConnection(env, async (connection) => {
    await assertCurrent(connection)
    const manifest = await (databaseOnly
      ? writeArchive(connection, folder)
      : withFiles(env, connection, folder))
    await noteBackup(connection)
    const lines = described(manifest, folder)
    if (databaseOnly) lines.push(...(await aboutVersions(env)))
    console.log(lines.join('\n'))
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof Problem
  console.error(expected ? error.message : error)
  process.exitCode = 1
}
