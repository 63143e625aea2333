import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CannotStart } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { type FoundTable, partitionedTables, partitionsOf, sequencesOf, tablesOf } from './catalog.ts'
import { type ArchivedTable, fileOf, type Manifest, writeManifest } from './manifest.ts'
import { explainDisk } from './sentences.ts'

const id = pg.escapeIdentifier

// The key that opens sealed columns must not lie beside them.
const rowsOf = ({ schema, name }: FoundTable): string =>
  schema === 'public' && name === 'settings' ? "where key <> 'token_secret'" : ''

async function writeTable(client: pg.Client, table: FoundTable, folder: string): Promise<ArchivedTable> {
  const { schema, name, columns } = table
  const from = `${id(schema)}.${id(name)} ${rowsOf(table)}`
  const rows = client.query(copyTo(`copy (select ${columns.map(id).join(', ')} from ${from}) to stdout`))
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const file = createWriteStream(path.join(folder, fileOf(table)), { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(rows, createZstdCompress(), hashed, file)
  return { ...table, rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** The migrations that a database has. */
export async function appliedIn(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<Manifest['migrations'][number]>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

/** Reads all tables as they were at one moment. The database can be written to meanwhile. */
async function writeTables(client: pg.Client, folder: string): Promise<Manifest> {
  const partitioned = (await partitionedTables(client)).map(id).join(', ')
  await client.query('begin isolation level repeatable read read only')
  // Before the first statement, which takes the snapshot. A partition that is detached concurrently waits for those who hold its
  // parent; otherwise it could leave after the list of tables was read, and before its rows were.
  if (partitioned !== '') await client.query(`lock table ${partitioned} in access share mode`)
  const server = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  )
  const migrations = await appliedIn(client)
  const tables: ArchivedTable[] = []
  for (const table of await tablesOf(client)) tables.push(await writeTable(client, table, folder))
  const manifest = {
    format: 1 as const,
    madeAt: new Date().toISOString(),
    server: server.rows[0]?.version ?? '',
    migrations,
    tables,
    partitions: await partitionsOf(client),
    sequences: await sequencesOf(client),
  }
  await client.query('commit')
  return manifest
}

/** Creates the folder of an archive. Throws `CannotStart` when something is in it. */
async function emptyFolder(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await fs.readdir(folder)).length > 0)
    throw new CannotStart(`${folder} is not empty: a backup needs a new or empty folder.`)
}

/**
 * Writes the database into a new or empty folder; the manifest comes last, after `addFiles` has added the
 * stored files. On any failure the folder is emptied again. Throws `CannotStart` with the reason for what the
 * operator can mend.
 */
export async function writeArchive(
  connection: Connection,
  folder: string,
  addFiles?: () => Promise<Manifest['files']>,
): Promise<Manifest> {
  await emptyFolder(folder).catch((error: unknown) => Promise.reject(explainDisk(error, folder)))
  try {
    const tables = await withClient(connection, (client) => writeTables(client, folder))
    const manifest = { ...tables, files: await addFiles?.() }
    await writeManifest(folder, manifest)
    return manifest
  } catch (error) {
    for (const name of await fs.readdir(folder))
      await fs.rm(path.join(folder, name), { recursive: true, force: true })
    throw explainDisk(error, folder)
  }
}
