import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CannotStart } from '#config/env.ts'
import { markCopy } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#platform/db/schema/migration-files.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { type FoundTable, foreignKeysOf, partitionedTables, tablesOf } from './catalog.ts'
import { type ArchivedTable, fileOf, type Manifest } from './manifest.ts'
import { explainDatabase } from './sentences.ts'

const id = pg.escapeIdentifier
const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }) =>
  `${id(schema)}.${id(name)}`

/** Refuses an archive whose schema this version does not know. */
function assertKnown({ migrations }: Manifest): void {
  const known = new Map(readMigrations().map(({ name, checksum }) => [name, checksum]))
  const strange = migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (strange)
    throw new CannotStart(
      `The archive was made by a newer or another version of Portico, with migration ${strange.name}: restore it with that version.`,
    )
}

async function exists(client: pg.Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select exists (${condition}) as is`)
  return rows[0]?.is === true
}

/** Refuses a database that a portal has used, or something else; the schema alone is no obstacle. */
async function assertEmpty(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const refusal = (why: string) =>
    new CannotStart(`The database is not empty: ${why}. Restore into a new one.`)
  const isAnyTable =
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
  if (!(await exists(client, isAnyTable))) return
  if (!(await exists(client, "select where to_regclass('public.schema_migrations') is not null")))
    throw refusal('it has tables of something else')
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const archived = new Set(migrations.map(({ name }) => name))
  const newer = rows.find(({ name }) => !archived.has(name))
  if (newer) throw refusal(`it has migration ${newer.name}, which is newer than the archive`)
  for (const table of ['settings', 'auth_accounts', 'clients'])
    if (
      (await exists(client, `select where to_regclass('public.${table}') is not null`)) &&
      (await exists(
        client,
        `select from ${table} where ${table === 'settings' ? "key = 'installation'" : 'true'}`,
      ))
    )
      throw refusal('a portal has used it')
}

const columnsOf = ({ columns }: FoundTable) => [...columns].sort().join(', ')

/** Creates the archived tables that were partitions once, which a schema does not have: those with the columns of one. */
async function createDetached(client: pg.Client, archived: readonly ArchivedTable[]): Promise<void> {
  const here = await tablesOf(client)
  const known = new Set(here.map(nameOf))
  const partitioned = new Set(await partitionedTables(client))
  const parents = here.filter(({ schema, name }) => schema === 'public' && partitioned.has(name))
  for (const table of archived.filter((one) => !known.has(nameOf(one)))) {
    const parent = parents.find((one) => columnsOf(one) === columnsOf(table))
    // The schema may have made a partition of this name.
    if (parent) {
      await client.query(`drop table if exists ${nameOf(table)}`)
      await client.query(`create table ${nameOf(table)} (like ${nameOf(parent)} including all)`)
    }
  }
}

/** Refuses an archive whose tables are not those of the schema. */
function assertSameTables(archived: readonly ArchivedTable[], here: readonly FoundTable[]): void {
  const shapeOf = (table: FoundTable) => `${nameOf(table)} (${columnsOf(table)})`
  const known = new Set(here.map(shapeOf))
  const strange = archived.find((table) => !known.has(shapeOf(table)))
  if (strange)
    throw new CannotStart(
      `The archive's table ${nameOf(strange)} has other columns than in this version of Portico: restore it with the version that made it.`,
    )
}

async function loadTable(client: pg.Client, folder: string, table: ArchivedTable): Promise<void> {
  const columns = table.columns.map(id).join(', ')
  const into = client.query(copyFrom(`copy ${nameOf(table)} (${columns}) from stdin`))
  await pipeline(createReadStream(path.join(folder, fileOf(table))), createZstdDecompress(), into)
  if (into.rowCount !== table.rows)
    throw new CannotStart(
      `The archive's table ${nameOf(table)} has ${into.rowCount} rows, and its manifest says ${table.rows}.`,
    )
}

/**
 * Loads all tables in the current transaction. Foreign keys form cycles, so they are dropped and added
 * again, which checks them; triggers would repeat what the rows already contain.
 */
async function loadTables(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  const { tables, partitions, sequences } = manifest
  await createDetached(client, tables)
  const here = await tablesOf(client)
  assertSameTables(tables, here)
  for (const { bound, of, ...partition } of partitions)
    await client.query(
      `create table if not exists ${nameOf(partition)} partition of ${nameOf({ ...partition, name: of })} ${bound}`,
    )
  const keys = await foreignKeysOf(client)
  for (const { of, name } of keys) await client.query(`alter table ${of} drop constraint ${name}`)
  for (const table of here) await client.query(`alter table ${nameOf(table)} disable trigger user`)
  await client.query(`truncate ${here.map(nameOf).join(', ')}`)
  for (const table of tables) await loadTable(client, folder, table)
  for (const { of, name, definition } of keys)
    await client.query(`alter table ${of} add constraint ${name} ${definition}`)
  for (const table of here) await client.query(`alter table ${nameOf(table)} enable trigger user`)
  for (const sequence of sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [nameOf(sequence), sequence.lastValue])
}

/**
 * Throws `CannotStart` when this version does not know the archive's schema, or the database is not empty.
 */
export async function assertRestorable(connection: Connection, manifest: Manifest): Promise<void> {
  assertKnown(manifest)
  await withClient(connection, (client) => assertEmpty(client, manifest))
}

/**
 * Loads an archive into an empty database, in one transaction, marks it as a copy, and then migrates it to
 * the newest schema.
 * Throws `CannotStart` when the archive or the database does not permit it. The archive was checked before
 * (`checkArchive`).
 */
export async function loadArchive(connection: Connection, folder: string, manifest: Manifest): Promise<void> {
  await assertRestorable(connection, manifest)
  await migrate(connection, { upTo: manifest.migrations.at(-1)?.name })
  await installJobs(connection)
  await withClient(connection, async (client) => {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await loadTables(client, folder, manifest)
    await markCopy(client)
    await client.query('commit')
    // Without statistics the first requests would be planned for empty tables.
    await client.query('analyze')
  }).catch((error: unknown) => Promise.reject(explainDatabase(error)))
  await migrate(connection)
}
