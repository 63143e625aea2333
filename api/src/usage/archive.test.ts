import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime } from '#test/support/money.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { archiveUsage } from './archive.ts'
import { maintainPartitions } from './charging.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const temporary = temporaryFolder()
afterAll(temporary.remove)
const storage = await localStorage(temporary.folder)
const attic = (more: Partial<FileStorage> = {}) => ({ pool, storage: { ...storage, ...more } })

const day = '2021-01-01'
const partition = 'usage_events_20210101'
const key = `usage-events-${day}`
const awkward = ['plain', 'a,b', 'a"b', 'a\nb\r\n', '=cmd()', ' ', 'ștț', 'a\\b', '']

/** A day of events that is a hundred days ago, more than fit into one step. */
beforeEach(async () => {
  await businessTime(pool, '2021-03-10T12:00:00Z')
  await sql`drop table if exists was, restored, ${sql.table(partition)}`.execute(db)
  for (const table of ['usage_archives', 'usage_events'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`select usage_partitions(array[${day}]::date[])`.execute(db)
  await sql`insert into usage_events (occurred_on, panel_engine_id, event_id, panel_id, resource_ref, meter_id, period_start,
      period_end, quantity, received_at)
    select ${day}, 1 + n % 2, n || awkward[1 + n % ${awkward.length}::int], 7, 'server/' || awkward[1 + n % ${awkward.length}::int],
      1 + n % 3, ${day}::timestamptz, ${day}::timestamptz + interval '1 hour', n / 7.0, timestamptz '2021-01-01T10:00:00.123456Z'
    from generate_series(1, 6000) n, (select ${awkward}::text[] as awkward) a`.execute(db)
  await sql`create table was as select * from usage_events where occurred_on = ${day}`.execute(db)
  await businessTime(pool, '2021-04-12T12:00:00Z')
  await maintainPartitions(db)
})

const count = async (from: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(from)}`.execute(db)).rows[0]?.n
const written = async () =>
  (await sql`select day, rows, sha256, storage_key from usage_archives`.execute(db)).rows
const isThere = async (table: string) =>
  (await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(db)).rows[0]
    ?.there

/** How many rows are in what was kept and not in what was there, or the other way round. */
async function differences(): Promise<number | undefined> {
  const file = path.join(temporary.folder, 'read-back.csv')
  fs.writeFileSync(file, zstdDecompressSync(await buffer((await storage.read(key)) ?? Readable.from([]))), {
    mode: 0o644,
  })
  await sql`create table restored (like was)`.execute(db)
  await sql`copy restored from ${sql.lit(file)} with (format csv, header match)`.execute(db)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (
    (select * from was except all select * from restored) union all (select * from restored except all select * from was)) d`.execute(
    db,
  )
  return rows[0]?.n
}

test('an archive is read back completely before the partition is dropped', async () => {
  expect(await archiveUsage(attic())).toBe(1)
  expect([await differences(), await count('restored'), await isThere(partition)]).toEqual([0, 6000, false])
  expect(await written()).toEqual([
    { day, rows: 6000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), storage_key: key },
  ])
  const once = await written()
  expect(await archiveUsage(attic())).toBe(0)
  expect(await written()).toEqual(once)
  expect(fs.readdirSync(storage.incoming)).toEqual([])
})

test('a day stays here until its time is over', async () => {
  await businessTime(pool, '2021-04-11T12:00:00Z')
  expect([await archiveUsage(attic()), await count('usage_events')]).toEqual([0, 6000])
})

const refuse = () => Promise.reject(new Error('The storage is full.'))

test.each<[string, Partial<FileStorage>]>([
  ['takes nothing', { keep: refuse }],
  ['loses what it took', { keep: async () => undefined, read: refuse }],
  ['ends before it is asked', { read: refuse }],
  ['keeps something else', { read: async () => fs.createReadStream(import.meta.filename) }],
])('while the storage %s, the rows stay, and the next run has all of them', async (_, broken) => {
  await expect(archiveUsage(attic(broken))).rejects.toThrow()
  expect([await count(partition), await written()]).toEqual([6000, []])
  expect(fs.readdirSync(storage.incoming)).toEqual([])
  expect([await archiveUsage(attic()), await differences()]).toEqual([1, 0])
})

test('two at once write one archive', async () => {
  const runs = await Promise.allSettled([archiveUsage(attic()), archiveUsage(attic())])
  expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect([(await written()).length, await differences(), await isThere(partition)]).toEqual([1, 0, false])
})

test('a partition that changed during the archiving is not dropped', async () => {
  const half = sql`select usage_archived(${day}, 5999, ${'0'.repeat(64)}, ${key})`.execute(db)
  await expect(half).rejects.toThrow('usage_archive_incomplete')
  expect(await count(partition)).toBe(6000)
})

test('an interrupted detachment of a day is completed, and writes to other days do not wait', async () => {
  const reading = await db.startTransaction().execute()
  await sql`select count(*) from usage_events`.execute(reading)
  await withClient(connection, async (client) => {
    await client.query("set statement_timeout = '100ms'")
    const detach = client.query(`alter table usage_events detach partition ${partition} concurrently`)
    await expect(detach).rejects.toThrow('timeout')
  })
  // Also to a day that is new.
  await sql`select usage_partitions(array['2021-05-01']::date[])`.execute(db)
  await sql`insert into usage_events (occurred_on, panel_engine_id, event_id, panel_id, resource_ref, meter_id, period_start,
    period_end, quantity) select day, 1, 'new', 7, 'panel', 1, now(), now(), 1
      from unnest(array['2021-04-12', '2021-05-01']::date[]) day`.execute(db)
  await reading.rollback().execute()
  expect([await archiveUsage(attic()), await differences()]).toEqual([1, 0])
})
