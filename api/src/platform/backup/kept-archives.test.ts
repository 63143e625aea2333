import fs from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '#platform/db/migrate.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { serverOfTests, testDatabase } from '#test/support/database.ts'
import { cloneDatabase, dropDatabase } from '#test/support/postgres.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { keepArchive, migrateSafely } from './kept-archives.ts'
import { readManifest } from './manifest.ts'
import { archiveNightly } from './nightly.ts'

const { pool, connection } = await testDatabase(2)
const { folder, remove } = temporaryFolder()
afterAll(remove)
const backups = `${folder}/backups`
const env = { dataDir: folder, databaseUrl: undefined }

test('the last seven archives are kept, and none that is unfinished', async () => {
  const old = Array.from({ length: 8 }, (_, n) => `${backups}/2026-01-0${n + 1}T00-00-00.000Z-nightly`)
  for (const name of [...old, `${old[0]}.partial`]) fs.mkdirSync(name, { recursive: true })
  const made = await keepArchive(env, connection, 'nightly')
  expect(fs.readdirSync(backups).map((name) => `${backups}/${name}`)).toEqual([...old.slice(2), made])
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
