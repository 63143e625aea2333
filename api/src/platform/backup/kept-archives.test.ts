import fs from 'node:fs'
import { dayMs } from '@portico/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { migrate } from '#platform/db/migrate.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { serverOfTests, testDatabase } from '#test/support/database.ts'
import { cloneDatabase, dropDatabase } from '#test/support/postgres.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { keepArchive, migrateSafely } from './kept-archives.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { archiveNightly } from './nightly.ts'

const { pool, connection } = await testDatabase(2)
const { folder, remove } = temporaryFolder()
afterAll(remove)
const backups = `${folder}/backups`
const env = { dataDir: folder, databaseUrl: undefined }

test('the last seven archives of a kind are kept, and none that is unfinished', async () => {
  const old = Array.from({ length: 8 }, (_, n) => `${backups}/2026-01-0${n + 1}T00-00-00.000Z-nightly`)
  for (const name of [...old, `${old[0]}.partial`]) fs.mkdirSync(name, { recursive: true })
  const made = await keepArchive(env, connection, 'nightly')
  const kept = () => fs.readdirSync(backups).map((name) => `${backups}/${name}`)
  expect(kept()).toEqual([...old.slice(2), made])
  const before: string[] = []
  for (let n = 0; n < 8; n++) before.push(await keepArchive(env, connection, 'before-migration'))
  expect(kept()).toEqual([...old.slice(2), made, ...before.slice(1)])
})

test('starts that fail at a migration make one archive, and a new one when another schema or day has come', async () => {
  const own = { dataDir: `${folder}/own`, databaseUrl: undefined }
  const said: string[] = []
  const older = await databaseUpTo('0097-e-invoices')
  const change = (sql: string) => withClient(older, (client) => client.query(sql))
  const fail = () => expect(migrateSafely(own, older, { say: (text) => said.push(text) })).rejects.toThrow()
  await change('create table accounting_exports (in_the_way int)')
  for (let n = 0; n < 3; n++) await fail()
  expect(said).toHaveLength(1)
  await change('drop table accounting_exports; alter table vat_rates add column reduced int')
  for (let n = 0; n < 3; n++) await fail()
  expect(said).toHaveLength(2)
  const newest = `${own.dataDir}/backups/${fs.readdirSync(`${own.dataDir}/backups`).at(-1)}`
  const made = await readManifest(newest)
  await writeManifest(newest, { ...made, madeAt: new Date(Date.now() - 1.1 * dayMs).toISOString() })
  await fail()
  expect(said).toHaveLength(3)
})

const server = serverOfTests()
const names: string[] = []
async function databaseUpTo(upTo?: string) {
  const name = `migrated_${names.length}_${process.pid}`
  names.push(name)
  const database = await cloneDatabase(server, name, 'template0')
  if (upTo !== undefined) {
    await migrate(database, { upTo })
    await installJobs(database)
  }
  return database
}
afterAll(async () => {
  for (const name of names) await dropDatabase(server, name)
})

test('an embedded database is archived before it is migrated, and not when it is new or current', async () => {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  await migrateSafely(env, await databaseUpTo(), { say })
  expect(said).toEqual([])
  const older = await databaseUpTo('0097-e-invoices')
  await migrateSafely(env, older, { say })
  await migrateSafely(env, older, { say })
  expect(said).toEqual([expect.stringMatching(/^Archived the database in .*-before-migration\.$/)])
  const archive = /in (.*)\.$/.exec(said[0] ?? '')?.[1] ?? ''
  expect((await readManifest(archive)).migrations.at(-1)?.name).toBe('0097-e-invoices')
})

test('a night without an archive alerts staff until there is one again', async () => {
  const alerts = () =>
    pool.kysely.selectFrom('staff_alerts').select('kind').where('resolved_at', 'is', null).execute()
  fs.writeFileSync(`${folder}/file`, '')
  const broken = { dataDir: `${folder}/file`, connection }
  await expect(archiveNightly({ pool, nightly: broken })).rejects.toThrow()
  expect(await alerts()).toEqual([{ kind: 'archive_failed' }])
  await archiveNightly({ pool, nightly: { dataDir: folder, connection } })
  expect(await alerts()).toEqual([])
  await archiveNightly({ pool, nightly: false })
})
