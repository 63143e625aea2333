import fs from 'node:fs'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { loadArchive } from '#platform/backup/load-archive.ts'
import { readManifest } from '#platform/backup/manifest.ts'
import { writeArchive } from '#platform/backup/write-archive.ts'
import { withClient } from '#platform/db/client.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { serverOfTests, testDatabase } from '#test/support/database.ts'
import { businessTime } from '#test/support/money.ts'
import { cloneDatabase, dropDatabase } from '#test/support/postgres.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { maintainPartitions } from '#usage/charging.ts'
import { archiveUsage } from './archive.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const temporary = temporaryFolder()
afterAll(temporary.remove)
const storage = await localStorage(temporary.folder)
const attic = (more: Partial<FileStorage> = {}) => ({
  pool,
  storage: { ...storage, ...more },
  usageKeptDays: 100,
})

const day = '2021-01-01'
const partition = 'usage_events_20210101'
const key = `usage-day-${day}`
const place = path.join(temporary.folder, `usage-events/day=${day}/0.parquet`)
const awkward = ['plain', 'a,b', 'a"b', 'a\nb\r\n', '=cmd()', ' ', 'ștț', 'a\\b', '']

const byKey = { table: 'keyed_usage_events', column: 'event_key', key: sql`md5(n::text)::uuid` }
const byId = {
  table: 'usage_events',
  column: 'event_id',
  key: sql`n || awkward[1 + n % ${awkward.length}::int]`,
}

/** Fills a day with more events than fit into one step. */
async function fillDay({ table, column, key: id }: typeof byKey): Promise<void> {
  await sql`drop table if exists was, ${sql.table(partition)}`.execute(db)
  await sql`create table ${sql.table(partition)} partition of ${sql.table(table)}
    for values from (${sql.lit(day)}) to ('2021-01-02')`.execute(db)
  await sql`insert into ${sql.table(table)} (occurred_on, panel_engine_id, ${sql.ref(column)}, panel_id, resource_ref, meter_id,
      period_start, period_end, quantity, received_at)
    select ${day}, 1 + n % 2, ${id}, 7, 'server/' || awkward[1 + n % ${awkward.length}::int],
      1 + n % 3, ${day}::timestamptz, ${day}::timestamptz + interval '1 hour', n / 7.0, timestamptz '2021-01-01T10:00:00.123456Z'
    from generate_series(1, 6000) n, (select ${awkward}::text[] as awkward) a`.execute(db)
  await sql`create table was as select * from ${sql.table(table)} where occurred_on = ${day}`.execute(db)
}

/** The day is a hundred days ago. */
beforeEach(async () => {
  await businessTime(pool, '2021-03-10T12:00:00Z')
  for (const table of ['usage_archives', 'usage_events', 'keyed_usage_events'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await fillDay(byKey)
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

const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }
// Exact values instead of dates and floating point numbers.
const parsers = {
  dateFromDays: (days: number) => String(days),
  timestampFromMicroseconds: (micros: bigint) => String(micros),
}

/** The rows of a file, each as one text, read by a reader of Parquet. */
async function inFile(): Promise<string[]> {
  const file = await asyncBufferFromFile(place)
  const rows = await parquetReadObjects({ file, compressors, parsers })
  return rows
    .map(({ quantity, ...row }) =>
      Object.values({ ...row, quantity: Number(quantity).toFixed(6) })
        .map(String)
        .join('|'),
    )
    .sort()
}

/** The rows of the table, in the same form. */
async function inTable(): Promise<string[]> {
  const { rows } = await sql<{
    line: string
  }>`select concat_ws('|', occurred_on - date '1970-01-01', panel_engine_id, panel_id,
      resource_ref, meter_id, m.code, (extract(epoch from period_start) * 1000000)::int8,
      (extract(epoch from period_end) * 1000000)::int8, (extract(epoch from received_at) * 1000000)::int8, quantity) as line
    from was join meters m on m.id = meter_id`.execute(db)
  return rows.map(({ line }) => line).sort()
}

/** Whether the archive has exactly the rows that the table had. */
const isSame = async () => {
  const [found, was] = [await inFile(), await inTable()]
  return found.length === was.length && found.every((line, at) => line === was[at])
}

test.each([
  ['keys', byKey],
  ['ids, from before they had keys,', byId],
])('an archive of events by %s is read back completely before the partition is dropped', async (_, kind) => {
  await fillDay(kind)
  expect(await archiveUsage(attic())).toBe(1)
  expect([await isSame(), (await inFile()).length, await isThere(partition)]).toEqual([true, 6000, false])
  expect(await written()).toEqual([
    { day, rows: 6000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), storage_key: key },
  ])
  const once = await written()
  expect(await archiveUsage(attic())).toBe(0)
  expect(await written()).toEqual(once)
  expect(fs.readdirSync(storage.incoming)).toEqual([])
})

test('a day stays here until its time is over', async () => {
  expect(await archiveUsage({ ...attic(), usageKeptDays: 102 })).toBe(0)
  await businessTime(pool, '2021-04-11T12:00:00Z')
  expect([await archiveUsage(attic()), await count('keyed_usage_events')]).toEqual([0, 6000])
})

test('a file is sorted by panel and period, and says so to a reader that looks for one panel', async () => {
  await sql`update ${sql.table(partition)} set panel_id = 1 + hashtext(event_key::text) % 50 + 50`.execute(db)
  await archiveUsage(attic())
  const file = await asyncBufferFromFile(place)
  const rows = await parquetReadObjects({ file, compressors, columns: ['panel_id'] })
  const panels = rows.map(({ panel_id }) => Number(panel_id))
  expect(panels).toEqual(panels.toSorted((a, b) => a - b))
  const { row_groups } = await parquetMetadataAsync(file)
  expect(row_groups[0]?.columns[2]?.meta_data?.statistics?.min_value).toBe(BigInt(panels[0] ?? 0))
})

test('a day without events is a file without rows', async () => {
  await sql`delete from ${sql.table(partition)}`.execute(db)
  expect([await archiveUsage(attic()), await inFile(), await isThere(partition)]).toEqual([1, [], false])
})

test('archives are found among the stored files, by their keys', async () => {
  await archiveUsage(attic())
  const keys: string[] = []
  for await (const one of storage.list()) keys.push(one.key)
  expect(keys).toEqual([key])
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
  expect([await archiveUsage(attic()), await isSame()]).toEqual([1, true])
})

test('two at once write one archive', async () => {
  const runs = await Promise.allSettled([archiveUsage(attic()), archiveUsage(attic())])
  expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect([(await written()).length, await isSame(), await isThere(partition)]).toEqual([1, true, false])
})

test('a partition that changed during the archiving is not dropped', async () => {
  const half = sql`select usage_archived(${day}, 5999, ${'0'.repeat(64)}, ${key})`.execute(db)
  await expect(half).rejects.toThrow('usage_archive_incomplete')
  expect(await count(partition)).toBe(6000)
})

test.each([
  ['keys', byKey],
  ['ids', byId],
])(
  'an interrupted detachment of a day of %s is completed, and writes to other days do not wait',
  async (_, kind) => {
    await fillDay(kind)
    const reading = await db.startTransaction().execute()
    await sql`select count(*) from ${sql.table(kind.table)}`.execute(reading)
    await withClient(connection, async (client) => {
      await client.query("set statement_timeout = '100ms'")
      const detach = client.query(`alter table ${kind.table} detach partition ${partition} concurrently`)
      await expect(detach).rejects.toThrow('timeout')
    })
    // Also to a day that is new.
    await sql`select usage_partitions(array['2021-05-01']::date[])`.execute(db)
    await sql`insert into keyed_usage_events (occurred_on, panel_engine_id, event_key, panel_id, resource_ref, meter_id, period_start,
    period_end, quantity) select day, 1, gen_random_uuid(), 7, 'panel', 1, now(), now(), 1
      from unnest(array['2021-04-12', '2021-05-01']::date[]) day`.execute(db)
    await reading.rollback().execute()
    expect([await archiveUsage(attic()), await isSame()]).toEqual([1, true])
  },
)

test.each(['alone', 'leaving'])(
  'a backup has a day of which the archiving did not finish: %s',
  async (state) => {
    await sql`drop table was`.execute(db)
    const reading = await db.startTransaction().execute()
    if (state === 'alone')
      await sql`alter table keyed_usage_events detach partition ${sql.table(partition)}`.execute(db)
    else {
      await sql`select count(*) from keyed_usage_events`.execute(reading)
      await withClient(connection, async (client) => {
        await client.query("set statement_timeout = '100ms'")
        const detach = client.query(
          `alter table keyed_usage_events detach partition ${partition} concurrently`,
        )
        await expect(detach).rejects.toThrow('timeout')
      })
    }
    const folder = path.join(temporary.folder, state)
    await writeArchive(connection, folder).finally(() => reading.rollback().execute())
    const target = await cloneDatabase(serverOfTests(), `restored_${state}_${process.pid}`, 'template0')
    try {
      await loadArchive(target, folder, await readManifest(folder))
      const days = await withClient(target, (client) =>
        client.query(`select day::text, state, (select count(*)::int from ${partition}) as rows
        from usage_days_before('2021-02-01')`),
      )
      expect(days.rows).toEqual([{ day, state: 'alone', rows: 6000 }])
    } finally {
      await dropDatabase(serverOfTests(), target.database)
    }
  },
)
