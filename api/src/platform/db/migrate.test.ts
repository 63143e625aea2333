import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '#test/support/postgres.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { withClient } from './client.ts'
import { type Connection, withDatabase } from './connection.ts'
import { migrate, pending } from './migrate.ts'
import { readMigrations } from './schema/migration-files.ts'

let server: TestServer
let database: Connection
let files: ReturnType<typeof temporaryFolder>

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.stop())

let count = 0
beforeEach(async () => {
  const name = `migrate_${count++}`
  await query(server.connection, `create database ${name}`)
  database = withDatabase(server.connection, name)
  files = temporaryFolder()
  return () => files.remove()
})

const query = (connection: Connection, sql: string) =>
  withClient(connection, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)

const write = (name: string, sql: string) => fs.writeFileSync(path.join(files.folder, name), sql)
const run = () => migrate(database, { folder: files.folder })
const tables = async () =>
  (await query(database, "select tablename from pg_tables where schemaname = 'public' order by 1")).map(
    (row) => row.tablename,
  )

test('the files apply in order, once', async () => {
  write('0002-second.sql', 'alter table one add column two int;')
  write('0001-first.sql', 'create table one ();')
  expect(await run()).toEqual(['0001-first', '0002-second'])
  write('0003-third.sql', 'create table three ();')
  expect(await run()).toEqual(['0003-third'])
  expect(await run()).toEqual([])
})

test('each migration says that it is what writes', async () => {
  write('0001-first.sql', "create table said as select current_setting('portico.because') as why;")
  write('0002-second.sql', "insert into said select current_setting('portico.because');")
  await run()
  const said = await query(database, 'select why from said')
  expect(said.map(({ why }) => why)).toEqual(['migration 0001-first', 'migration 0002-second'])
})

test('a file that fails leaves nothing of itself, keeps those before it, and is named with its line', async () => {
  write('0001-good.sql', 'create table good ();')
  write('0002-bad.sql', 'create table half ();\n\nselect nonsense;')
  await expect(run()).rejects.toThrow(
    'Migration 0002-bad.sql line 3 failed: column "nonsense" does not exist.',
  )
  expect(await tables()).toEqual(['good', 'schema_migrations'])
})

test('eight replicas at once apply each file once', async () => {
  for (let number = 1; number <= 5; number++)
    write(`000${number}-step.sql`, `create table step_${number} ();`)
  const all = await Promise.all(Array.from({ length: 8 }, run))
  expect(all.flat().sort()).toEqual(['0001-step', '0002-step', '0003-step', '0004-step', '0005-step'])
})

test('a changed file is refused, another kind of line ending is not a change', async () => {
  write('0001-first.sql', 'create table one\n();\n')
  await run()
  write('0001-first.sql', 'create table one\r\n();\r\n')
  expect(await run()).toEqual([])
  write('0001-first.sql', 'create table uno ();')
  await expect(run()).rejects.toThrow('Migration 0001-first was changed after it had been applied')
})

const remove = (name: string) => fs.rmSync(path.join(files.folder, name))

test('a version runs on what newer ones only added, and says so', async () => {
  write('0001-first.sql', 'create table one ();')
  write('0002-later.sql', '-- expand: a table of the next version.\ncreate table two ();')
  await run()
  remove('0002-later.sql')
  const said: string[] = []
  expect(await migrate(database, { folder: files.folder, say: (text) => said.push(text) })).toEqual([])
  expect(said).toEqual([
    'The database was used with a newer version, which only added to it (0002-later); this version runs on it.',
  ])
  expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
})

test.each([
  ['took something away', '-- contract\ncreate table three ();'],
  ['does not say what it did', 'create table three ();'],
])('a database that a newer version changed is refused when that %s', async (_, sql) => {
  write('0001-first.sql', 'create table one ();')
  write('0002-later.sql', '-- expand\ncreate table two ();')
  write('0003-future.sql', sql)
  await run()
  remove('0002-later.sql')
  remove('0003-future.sql')
  await expect(run()).rejects.toThrow(
    'The database has migration 0003-future, which this version of Portico does not know and cannot run on: it was used with a newer version. Start that version or a later one.',
  )
})

test('a database from before kinds were kept gets them, and its migrations took something away', async () => {
  write('0001-first.sql', '-- expand\ncreate table one ();')
  await run()
  await query(database, 'alter table schema_migrations drop column kind')
  write('0002-second.sql', '-- expand\ncreate table two ();')
  await run()
  expect(await query(database, 'select name, kind from schema_migrations order by name')).toEqual([
    { name: '0001-first', kind: 'contract' },
    { name: '0002-second', kind: 'expand' },
  ])
})

test('a migration that waits for a reader blocks no other reader, and applies when the first is done', async () => {
  await query(database, 'create table held ()')
  write('0001-first.sql', 'alter table held add column one int;')
  const said: string[] = []
  await withClient(database, async (reader) => {
    await reader.query('begin')
    await reader.query('select from held')
    const migrating = migrate(database, { folder: files.folder, say: (text) => said.push(text) })
    const waiting = "select from pg_locks where relation = 'held'::regclass and not granted"
    await expect.poll(() => query(database, waiting), { interval: 10 }).toHaveLength(1)
    // It gets in behind the migration, and answers while the first reader goes on.
    expect(await query(database, 'select from held')).toEqual([])
    await expect
      .poll(() => said)
      .toEqual([
        'Migration 0001-first.sql failed: canceling statement due to lock timeout. Retrying for ten minutes.',
      ])
    await reader.query('commit')
    expect(await migrating).toEqual(['0001-first'])
  })
}, 30_000)

test('a migration whose table stays locked is given up, and leaves nothing', async () => {
  await query(database, 'create table held ()')
  write('0001-first.sql', 'alter table held add column one int;')
  await withClient(database, async (reader) => {
    await reader.query('begin')
    await reader.query('select from held')
    await expect(migrate(database, { folder: files.folder, lockedMs: 0 })).rejects.toThrow(
      'Migration 0001-first.sql failed: canceling statement due to lock timeout.',
    )
  })
  expect(await tables()).toEqual(['held'])
})

test('an index is created while its table is written and several replicas wait, and is recorded once', async () => {
  await query(database, 'create table written (number int)')
  write('0001-index.sql', '-- expand\ncreate index concurrently written_number on written (number);')
  await withClient(database, async (writer) => {
    await writer.query('begin')
    await writer.query('insert into written values (1)')
    const said: string[] = []
    const say = (text: string) => said.push(text)
    const migrating = [1, 2, 3].map(() => migrate(database, { folder: files.folder, say }))
    const creating = "select from pg_stat_progress_create_index where relid = 'written'::regclass"
    await expect.poll(() => query(database, creating), { timeout: 20_000 }).toHaveLength(1)
    await expect
      .poll(() => said, { timeout: 20_000 })
      .toEqual(Array(2).fill('Another process migrates the database; waiting for it.'))
    // The index waits for the first writer, and no other writer waits for the index.
    await query(database, 'insert into written values (2)')
    await writer.query('commit')
    expect((await Promise.all(migrating)).flat()).toEqual(['0001-index'])
  })
  const complete = "select indisvalid as is from pg_index where indexrelid = 'written_number'::regclass"
  expect(await query(database, complete)).toEqual([{ is: true }])
  expect(await query(database, 'select name, kind from schema_migrations')).toEqual([
    { name: '0001-index', kind: 'expand' },
  ])
})

test('an index of an attempt that was interrupted is kept when it is complete, and replaced otherwise', async () => {
  const sql = 'create unique index concurrently only_once on numbers (number);'
  await query(database, 'create table numbers as select 1 as number from generate_series(1, 2)')
  write('0001-index.sql', sql)
  await expect(run()).rejects.toThrow('Migration 0001-index.sql failed: could not create unique index')
  await query(database, 'truncate numbers')
  expect(await run()).toEqual(['0001-index'])
  await query(database, 'truncate schema_migrations')
  expect(await run()).toEqual(['0001-index'])
  await expect(query(database, 'insert into numbers values (1), (1)')).rejects.toThrow('only_once')
})

test('a migration may take longer than a statement of the role', async () => {
  await query(server.connection, `alter database ${database.database} set statement_timeout = '50ms'`)
  write('0001-first.sql', 'select pg_sleep(0.2);')
  expect(await run()).toEqual(['0001-first'])
})

describe('names', () => {
  test('two files with one number are refused', () => {
    write('0001-a.sql', '')
    write('0001-b.sql', '')
    expect(() => readMigrations(files.folder)).toThrow('0001-a.sql and 0001-b.sql have the same number')
  })

  test('a file without a number is refused', () => {
    write('first.sql', '')
    expect(() => readMigrations(files.folder)).toThrow('must be named like')
  })

  test("the portal's own are in order", () => {
    expect(readMigrations().length).toBeGreaterThan(0)
  })

  // One that is created concurrently counts as made where its name is taken, as after an attempt that was interrupted.
  test("no index of the portal's own takes a name that another one has", () => {
    const named = new Set<string>()
    const taken: string[] = []
    for (const { name, sql } of readMigrations())
      for (const [, verb = '', index = ''] of sql.matchAll(
        /^(create|drop) (?:unique )?index (?:concurrently )?(?:if (?:not )?exists )?(?!on )(\w+)/gim,
      )) {
        if (verb === 'drop') named.delete(index)
        else if (named.has(index)) taken.push(`${name} ${index}`)
        else named.add(index)
      }
    expect(named.size).toBeGreaterThan(100)
    // Made good by 0389.
    expect(taken).toEqual(['0241-documents-by-total invoices_by_total'])
  })
})

test('pending names what the database lacks', async () => {
  await withClient(database, async (client) => {
    expect(await pending(client)).toEqual(readMigrations().map(({ name }) => name))
    await migrate(database)
    expect(await pending(client)).toEqual([])
  })
})
