import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { loadArchive } from '#platform/backup/load-archive.ts'
import { fileOf, type Manifest, readManifest } from '#platform/backup/manifest.ts'
import { writeArchive } from '#platform/backup/write-archive.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { migrate, pending } from '#platform/db/migrate.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { serverOfTests } from './support/database.ts'
import { demoDatabase } from './support/demo.ts'
import { cloneDatabase, dropDatabase } from './support/postgres.ts'
import { tokenSecret } from './support/secret.ts'
import { temporaryFolder } from './support/temporary.ts'

// Each test runs several commands, each a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000 })

const root = path.resolve(import.meta.dirname, '../..')
const { connection, pool } = await demoDatabase()
const { folder, remove } = temporaryFolder()
afterAll(remove)
const at = (...names: string[]) => path.join(folder, ...names)

/** Where a portal keeps its database and its files; without a database it is the embedded one. */
type Place = { readonly dataDir: string; readonly database?: Connection }

function run(command: string, { dataDir, database }: Place, ...args: string[]) {
  const { host = '', port = 5432, user = '' } = database ?? {}
  const url = `postgres://${user}@localhost/${database?.database}?host=${encodeURIComponent(host)}&port=${port}`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`api/src/commands/${command === 'verify' ? command : `archives/${command}`}.ts`, ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        TOKEN_SECRET: tokenSecret,
        SEED: 'none',
        DATABASE_URL: database ? url : '',
      },
    },
  )
  return { status, said: (stdout + stderr).trim() }
}

const databases: Connection[] = []
async function emptyDatabase(name: string): Promise<Connection> {
  const made = await cloneDatabase(serverOfTests(), `${name}_${process.pid}`, 'template0')
  databases.push(made)
  return made
}
afterAll(async () => {
  for (const { database } of databases) await dropDatabase(serverOfTests(), database)
})

const source: Place = { dataDir: at('source'), database: connection }
const storage = await localStorage(at('source', 'files'))
const clientId = 1

/** Stores a file of a ticket; returns the id of its row. */
async function ticketFile(key: string): Promise<number> {
  const file = path.join(storage.incoming, key)
  fs.writeFileSync(file, key)
  await storage.keep(key, file)
  const { id } = await pool.kysely
    .insertInto('ticket_files')
    .values({
      client_id: clientId,
      uploaded_by_client_id: clientId,
      filename: 'a.txt',
      mime: 'text/plain',
      size: key.length,
      sha256: createHash('sha256').update(key).digest(),
      storage_key: key,
      scan_status: 'clean',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
await ticketFile('aa-the-first')
const missingId = await ticketFile('bb-the-second')
await storage.remove('bb-the-second')

// Two days of usage, each with a partition and an event.
await sql`select usage_partitions(array['2026-01-01', '2026-01-02']::date[])`.execute(pool.kysely)
await sql`insert into keyed_usage_events (event_key, panel_engine_id, panel_id, period_start, period_end, occurred_on, meter_id,
    resource_ref, quantity)
  select gen_random_uuid(), 1, 1, d, d + interval '1 hour', d, 1, 'panel', 1
  from unnest(array['2026-01-01', '2026-01-02']::date[]) d`.execute(pool.kysely)

/** The rows of each table in an archive, as one hash: a loaded table may have its rows in another order. */
async function rowsIn(archive: string, but: readonly string[] = []) {
  const { tables } = await readManifest(archive)
  return tables
    .filter(({ name }) => !but.includes(name))
    .map((table) => {
      const text = zstdDecompressSync(fs.readFileSync(path.join(archive, fileOf(table)))).toString()
      const sorted = text.split('\n').sort().join('\n')
      return { ...table, sha256: createHash('sha256').update(sorted).digest('hex') }
    })
}

test('an archive of an external database opens as an embedded one, and that as an external one again', async () => {
  const backup = run('backup', source, at('first'))
  expect(backup.said).toContain(`missing: ticket file ${missingId} (bb-the-second)`)
  expect(backup.said).toContain('1 files are damaged or missing in the storage, and are not in it.')
  expect([backup.status, backup.said]).toEqual([0, expect.stringContaining('is complete:')])
  const first = await readManifest(at('first'))
  expect(first.tables.some(({ rows }) => rows > 1000)).toBe(true)
  expect(first.partitions.length).toBeGreaterThan(1)
  expect(first.tables.find(({ name }) => name === 'keyed_usage_events')?.rows).toBe(2)

  const embedded: Place = { dataDir: at('embedded') }
  const restored = run('restore', embedded, at('first'))
  expect([restored.status, restored.said]).toEqual([0, expect.stringContaining('is restored, with 1 files.')])
  expect(run('backup', embedded, at('second')).status).toBe(0)
  const second = await readManifest(at('second'))
  // A restore marks the settings as those of a copy.
  expect(await rowsIn(at('second'), ['settings'])).toEqual(await rowsIn(at('first'), ['settings']))
  expect([second.sequences, second.files]).toEqual([first.sequences, first.files])

  const external: Place = { dataDir: at('external'), database: await emptyDatabase('restored') }
  expect(run('restore', external, at('second')).status).toBe(0)
  expect(run('backup', external, at('third')).status).toBe(0)
  const third = await readManifest(at('third'))
  expect({ ...third, madeAt: '', tables: [] }).toEqual({ ...second, madeAt: '', tables: [] })
  expect(await rowsIn(at('third'))).toEqual(await rowsIn(at('second')))

  const verified = run('verify', external)
  expect([verified.status, verified.said.split('\n')]).toEqual([
    1,
    [
      '0 differences in the ledger',
      `missing: ticket file ${missingId} (bb-the-second)`,
      '2 files read: 0 damaged, 1 missing',
    ],
  ])
  const again = run('restore', external, at('third'))
  expect([again.status, again.said]).toEqual([
    1,
    'The database is not empty: a portal has used it. Restore into a new one.',
  ])
})

test('a restore sets an embedded database of another major version aside, which the start refuses', async () => {
  const old: Place = { dataDir: at('of-old') }
  const cluster = at('of-old', 'database', 'postgres')
  fs.mkdirSync(cluster, { recursive: true })
  fs.writeFileSync(path.join(cluster, 'PG_VERSION'), '17\n')
  expect(run('verify', old)).toEqual({
    status: 2,
    said: expect.stringMatching(/is of PostgreSQL 17, .* run "npm run upgrade"/),
  })
  const { status, said } = run('restore', old, at('first'))
  const [kept] = fs.readdirSync(old.dataDir).filter((name) => name.startsWith('database-of-postgresql-17-'))
  expect([status, said.split('\n')[0]]).toEqual([
    0,
    `The database of another version of PostgreSQL is kept in ${at('of-old', kept ?? 'nowhere')}.`,
  ])
  expect(fs.readFileSync(at('of-old', kept ?? '', 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
  expect(said).toContain('is restored, with 1 files.')
})

const sound = at('sound')
await writeArchive(connection, sound)

/** Restores a copy of an archive after something happened to it; returns why that failed. */
async function damaged(name: string, happen: (archive: string) => void): Promise<string> {
  const archive = at(name)
  fs.cpSync(sound, archive, { recursive: true })
  happen(archive)
  const target = await emptyDatabase(name)
  const { status, said } = run('restore', { dataDir: at(`${name}-data`), database: target }, archive)
  expect(status).toBe(1)
  const tables = await withClient(target, (client) =>
    client.query("select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"),
  )
  expect(tables.rowCount).toBe(0)
  return said.replace(archive, 'HERE')
}

const clients = 'public.clients.copy.zst'

test('a flipped byte, a missing file and an unfinished archive are named, and nothing is restored', async () => {
  const flip = (archive: string) => {
    const file = path.join(archive, clients)
    const bytes = fs.readFileSync(file)
    bytes.writeUInt8((bytes.at(-20) ?? 0) ^ 1, bytes.length - 20)
    fs.writeFileSync(file, bytes)
  }
  expect(await damaged('flipped', flip)).toBe(
    `The archive HERE is damaged: ${clients} does not match its SHA-256.`,
  )
  expect(await damaged('lacking', (archive) => fs.rmSync(path.join(archive, clients)))).toBe(
    `The archive HERE is incomplete: ${clients} cannot be read.`,
  )
  expect(await damaged('unfinished', (archive) => fs.rmSync(path.join(archive, 'manifest.json')))).toBe(
    'HERE has no manifest.json: it is not an archive, or its backup did not finish.',
  )
})

const change = (archive: string, edit: (manifest: Manifest) => object) => {
  const file = path.join(archive, 'manifest.json')
  fs.writeFileSync(file, JSON.stringify(edit(JSON.parse(fs.readFileSync(file, 'utf8')))))
}

test('an archive of a newer version is refused', async () => {
  const migration = { name: '9999-of-tomorrow', checksum: 'unknown' }
  const newer = (archive: string) =>
    change(archive, (manifest) => ({ ...manifest, migrations: [...manifest.migrations, migration] }))
  expect(await damaged('newer', newer)).toBe(
    'The archive was made by a newer or another version of Portico, with migration 9999-of-tomorrow: restore it with that version.',
  )
  const format = (archive: string) => change(archive, (manifest) => ({ ...manifest, format: 2 }))
  expect(await damaged('format', format)).toContain('was written by a newer version of Portico')
})

test('a stored file that is damaged or missing in the archive is named, and nothing is restored', async () => {
  const whole = at('whole')
  expect(run('backup', source, whole).status).toBe(0)
  const withFiles = (archive: string) => fs.cpSync(whole, archive, { recursive: true })
  const place = 'files/aa/aa-the-first'
  const altered = (archive: string) => {
    withFiles(archive)
    fs.writeFileSync(path.join(archive, place), 'something else')
  }
  expect(await damaged('altered', altered)).toBe(
    `The archive HERE is damaged: ${place} does not match its SHA-256.`,
  )
  const without = (archive: string) => {
    withFiles(archive)
    fs.rmSync(path.join(archive, place))
  }
  expect(await damaged('without', without)).toBe(`The archive HERE is incomplete: ${place} cannot be read.`)
})

test('a restore that fails leaves no row, and can be repeated', async () => {
  const rows = (archived: Manifest, more: number) => ({
    ...archived,
    tables: archived.tables.map((one) => (one.name === 'tickets' ? { ...one, rows: one.rows + more } : one)),
  })
  const target = await emptyDatabase('repeated')
  const manifest = await readManifest(sound)
  await expect(loadArchive(target, sound, rows(manifest, 1))).rejects.toThrow(
    /^The archive's table "public"."tickets" has \d+ rows, and its manifest says \d+\.$/,
  )
  const count = () => withClient(target, (client) => client.query('select from clients'))
  expect((await count()).rowCount).toBe(0)
  await loadArchive(target, sound, manifest)
  expect((await count()).rowCount).toBeGreaterThan(0)
})

test('an archive of an older schema is migrated on', async () => {
  const older = await emptyDatabase('older')
  await migrate(older, { upTo: '0097-e-invoices' })
  await installJobs(older)
  await writeArchive(older, at('older'))
  const refused = run('backup', { dataDir: at('older-data'), database: older }, at('refused'))
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('The database lacks migration')])
  const target = await emptyDatabase('migrated')
  await loadArchive(target, at('older'), await readManifest(at('older')))
  expect(await withClient(target, pending)).toEqual([])
})

test('a backup needs an empty folder, and one that fails leaves nothing behind', async () => {
  const taken = run('backup', source, at('source'))
  expect([taken.status, taken.said]).toEqual([
    1,
    `${at('source')} is not empty: a backup needs a new or empty folder.`,
  ])
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  const failing = writeArchive(connection, at('full'), () => Promise.reject(full))
  await expect(failing).rejects.toThrow(`Nothing was kept in ${at('full')}: no space is left.`)
  expect(fs.readdirSync(at('full'))).toEqual([])
})
