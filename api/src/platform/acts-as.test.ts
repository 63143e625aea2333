import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import {
  type Acting,
  copyOf,
  lastAlive,
  markActing,
  markAlive,
  markCopy,
  markStopped,
  signLife,
  startsAsCopy,
} from './acts-as.ts'
import { withClient } from './db/client.ts'

const { pool, connection } = await testDatabase(2)
const db = pool.kysely
const env: Acting = {
  act: true,
  publicUrl: 'https://portal.example.com',
  seed: 'none',
  databaseUrl: 'postgres://db.example.com/portico',
  dataDir: 'data',
}
const here = { ...env, publicUrl: 'http://localhost:3000' }

/** Starts an installation; returns why it is a copy. */
async function recordActing(one: Acting): Promise<string | undefined> {
  const said: string[] = []
  const isCopy = await startsAsCopy(one, connection, (text) => said.push(text))
  expect(said).toHaveLength(isCopy ? 1 : 0)
  return /, because (.*)\. People/.exec(said[0] ?? '')?.[1]
}

beforeEach(() => sql`delete from settings where key = 'acts_as'`.execute(db))

test('the first installation of a database acts, and goes on to act', async () => {
  expect(await recordActing(env)).toBeUndefined()
  expect(await recordActing(env)).toBeUndefined()
  expect(await copyOf(env, connection)).toBeUndefined()
})

test('one at another address is a copy, but ports of one machine are all the same', async () => {
  await recordActing(env)
  expect(await recordActing(here)).toBe(
    'its database acts as https://portal.example.com, and PUBLIC_URL is http://localhost:3000',
  )
  expect(await copyOf(env, connection)).toBeUndefined()
  await withClient(connection, (client) => markActing(client, here))
  expect(await copyOf({ ...here, publicUrl: 'http://127.0.0.1:3001' }, connection)).toBeUndefined()
})

test('one whose database was copied to another server, or restored, is a copy', async () => {
  await recordActing(env)
  await sql`update settings set value = value || '{"server": "1"}' where key = 'acts_as'`.execute(db)
  expect(await recordActing(env)).toBe('its database was restored or copied')
  await withClient(connection, (client) => markActing(client, env))
  const since = await withClient(connection, lastAlive)
  await withClient(connection, markCopy)
  expect(await copyOf(env, connection)).toBe('its database was restored or copied')
  expect(await withClient(connection, lastAlive)).toEqual(since)
})

test('one whose database was copied within its server is a copy', async () => {
  await recordActing(env)
  const copied = `${connection.database}_copy`
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
      connection.database,
    ])
    await client.query(`create database ${copied} template ${connection.database}`)
  })
  onTestFinished(() =>
    withClient({ ...connection, database: 'postgres' }, async (client) => {
      await client.query(`drop database ${copied}`)
    }),
  )
  const there = { ...connection, database: copied }
  expect(await copyOf(env, there)).toBe('its database was restored or copied')
  expect(await copyOf(env, connection)).toBeUndefined()
  await withClient(there, (client) => markActing(client, env))
  expect(await copyOf(env, there)).toBeUndefined()
})

test('an installation from before its database was noted goes on to act, and adopts it', async () => {
  await recordActing(env)
  await sql`update settings set value = value - 'database' where key = 'acts_as'`.execute(db)
  expect(await recordActing(env)).toBeUndefined()
  const { rows } = await sql<{ own: boolean }>`select value ->> 'database' = oid::text as own
    from settings, pg_database where key = 'acts_as' and datname = current_database()`.execute(db)
  expect(rows).toEqual([{ own: true }])
})

test('a database from before the mark is a copy once it was restored', async () => {
  await withClient(connection, markCopy)
  expect(await copyOf(env, connection)).toBe('its database was restored or copied')
  expect(await withClient(connection, lastAlive)).toBeUndefined()
})

/** Sets its signs of life, and its last stop when it was stopped, back by some hours. */
const silentFor = (hours: number) =>
  sql`update settings set value = value || jsonb_build_object(
      'aliveAt', (value ->> 'aliveAt')::timestamptz - make_interval(hours => ${hours}),
      'stoppedAt', (value ->> 'stoppedAt')::timestamptz - make_interval(hours => ${hours}))
    where key = 'acts_as'`.execute(db)

test('one that was silent for more than six hours is a copy, unless it lived on', async () => {
  await recordActing(env)
  await silentFor(5)
  expect(await copyOf(env, connection)).toBeUndefined()
  await silentFor(2)
  expect(await copyOf(env, connection)).toContain('more than 6 hours ago')
  await markAlive(db)
  expect(await copyOf(env, connection)).toBeUndefined()
})

test('each process that acts signs life until it is stopped, and one change a minute is enough', async () => {
  await recordActing(env)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const failed = () => expect.unreachable()
  const stops = [signLife(db, failed), signLife(db, failed)]
  const stop = () => Promise.all(stops.map((one) => one()))
  const since = await withClient(connection, lastAlive)
  vi.advanceTimersByTime(20_000)
  await stop()
  expect(await withClient(connection, lastAlive), 'it has just signed').toEqual(since)
  stops.push(signLife(db, failed))
  await silentFor(7)
  vi.advanceTimersByTime(20_000)
  await stop()
  expect(await copyOf(env, connection)).toBeUndefined()
  await silentFor(7)
  vi.advanceTimersByTime(60_000)
  expect(await copyOf(env, connection), 'it is stopped').toContain('more than 6 hours ago')
})

test('ACT=0 makes a copy of any installation, and a demo always acts', async () => {
  expect(await recordActing({ ...env, act: false })).toBe('ACT is 0')
  await withClient(connection, markCopy)
  expect(await recordActing({ ...env, seed: 'demo' })).toBeUndefined()
  expect(await copyOf(env, connection)).toBe('its database was restored or copied')
})

/** An installation with the embedded database in a folder of its own. */
function embedded(): Acting & { readonly dataDir: string } {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  fs.mkdirSync(path.join(folder, 'database', 'postgres'), { recursive: true })
  return { ...env, databaseUrl: undefined, dataDir: folder }
}

test('one with the embedded database acts again after a stop of weeks', async () => {
  const one = embedded()
  await recordActing(one)
  await markStopped(db, one)
  await silentFor(500)
  expect(await recordActing(one)).toBeUndefined()
  await silentFor(7)
  expect(await copyOf(one, connection), 'that stop is over').toContain('more than 6 hours ago')
})

test('one that was not stopped but fell, or whose folder was copied while it stood still, is a copy', async () => {
  const one = embedded()
  await recordActing(one)
  await markStopped(db, one)
  await silentFor(7)
  const copied = embedded()
  expect(await copyOf(copied, connection)).toContain('more than 6 hours ago')
  await markAlive(db)
  await silentFor(7)
  expect(await copyOf(one, connection), 'it lived on after the stop').toContain('more than 6 hours ago')
})

test('an external database may have been restored to the moment of a stop, so six hours count for it', async () => {
  await recordActing(env)
  await markStopped(db, env)
  await silentFor(7)
  expect(await copyOf(env, connection)).toContain('more than 6 hours ago')
})
