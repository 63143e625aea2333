import { beforeEach, expect, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { testDatabase } from '#test/support/database.ts'
import { person } from '#test/support/people.ts'
import { assertInstallation } from './installation.ts'

const { pool, connection } = await testDatabase()
const DATA_DIR = '/srv/portico'
const start = (seed: 'demo' | 'none') => assertInstallation(readEnv({ SEED: seed, DATA_DIR }), connection)

const settings = () => pool.kysely.deleteFrom('settings')
beforeEach(() => settings().where('key', 'in', ['installation', 'demo_seeded_at']).execute())

test('an empty database becomes what its first start is for, and stays it', async () => {
  await start('demo')
  await start('demo')
  await expect(start('none')).rejects.toThrow('starts with SEED=demo only')
  await settings().where('key', '=', 'installation').execute()
  await start('none')
  await start('none')
  await expect(start('demo')).rejects.toThrow('is not a demo and is never filled as one')
})

test('of two concurrent first starts of different kinds one is refused', async () => {
  const outcomes = await Promise.allSettled([start('demo'), start('none'), start('demo'), start('none')])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('a demo from before this was recorded is recognised', async () => {
  await pool.kysely
    .insertInto('settings')
    .values({ key: 'demo_seeded_at', value: JSON.stringify('2026-01-01T00:00:00Z') })
    .execute()
  await expect(start('none')).rejects.toThrow('whose passwords are public')
  await start('demo')
})

test('the refusal names the folder or the database to begin again with, and no secret', async () => {
  await start('demo')
  await expect(start('none')).rejects.toThrow(
    `remove the folder ${DATA_DIR} or choose another one with DATA_DIR`,
  )
  const external = readEnv({ DATABASE_URL: 'postgres://me:hunter2@db/portico' })
  const refused = await assertInstallation(external, connection).catch(String)
  expect(refused).toContain(`drop and create ${connection.database} or name another one in DATABASE_URL`)
  expect(refused).not.toContain('hunter2')
})

test('a database with people in it from before this was recorded is no demo', async () => {
  await person(pool, 'ana@example.com')
  await expect(start('demo')).rejects.toThrow('never filled as one')
  await start('none')
})
