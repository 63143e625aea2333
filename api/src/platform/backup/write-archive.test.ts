import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { testDatabase } from '#test/support/database.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { writeArchive } from './write-archive.ts'

const { connection } = await testDatabase(1)
const { folder, remove } = temporaryFolder()
afterAll(remove)

test('an archive has the rows of a day that leaves its table while the archive is written', async () => {
  await withClient(connection, async (client) => {
    // Tables are written by name: the first one waits below, the last one has the day.
    await client.query('create table aaa (n int)')
    await client.query('create table zzz (day date) partition by range (day)')
    await client.query(`create table zzz_1 partition of zzz for values from ('2026-01-01') to ('2026-01-02')`)
    await client.query(`insert into zzz values ('2026-01-01')`)
    await client.query('begin')
    await client.query('lock table aaa in access exclusive mode')
    const archived = writeArchive(connection, `${folder}/archive`)
    const waits = async () =>
      (await client.query(`select from pg_locks where relation = 'aaa'::regclass and not granted`)).rowCount
    await expect.poll(waits, { timeout: 20_000 }).toBe(1)
    const left = withClient(connection, (other) =>
      other.query('alter table zzz detach partition zzz_1 concurrently'),
    )
    await Promise.race([left, sleep(2000)])
    await client.query('rollback')
    const { tables } = await archived
    expect(tables.filter(({ name }) => name.startsWith('zzz')).map(({ rows }) => rows)).toEqual([1])
    await left
  })
}, 60_000)
