import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { tokenSecret } from '#platform/token-secret.ts'
import { cloneDatabase } from '#test/support/postgres.ts'
import { startStandby, urlOf } from '#test/support/standby.ts'
import { withClient } from './client.ts'
import { connectionFromUrl } from './connection.ts'
import { reachDatabase, reachPooler } from './external.ts'
import { Pool } from './pool.ts'

const server = inject('postgres')
const addressOf = (database: string) =>
  `postgres://portico@localhost/${database}?host=${encodeURIComponent(server.host ?? '')}`
const said: string[] = []
const say = (text: string) => said.push(text)

beforeAll(async () => {
  await cloneDatabase(server, 'external')
})

test('a database that answers is used at once, and its replicas share one key that is made once', async () => {
  const connection = await reachDatabase({ databaseUrl: addressOf('external') }, say)
  expect(said).toEqual([])
  const env = readEnv({ DATABASE_URL: addressOf('external') })
  const keys = await Promise.all(Array.from({ length: 5 }, () => tokenSecret(env, connection)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[\w-]{43}$/)
})

test('an absent database is reported at once', async () => {
  await expect(reachDatabase({ databaseUrl: addressOf('nowhere') }, say)).rejects.toThrow(
    'The database of DATABASE_URL cannot be used: database "nowhere" does not exist.',
  )
})

test('a database that does not listen yet is waited for, until the start gives up', async () => {
  const waiting = reachDatabase(
    { databaseUrl: 'postgres://127.0.0.1:1/portico' },
    say,
    AbortSignal.timeout(300),
  )
  await expect(waiting).rejects.toThrow('aborted due to timeout')
  expect(said).toEqual([
    expect.stringContaining('Waiting for the database of DATABASE_URL (connect ECONNREFUSED'),
  ])
})

test('a standby is waited for, by its name, until it is promoted', async () => {
  said.length = 0
  const standby = await startStandby(() => Promise.resolve())
  onTestFinished(() => standby.stop())
  const reaching = reachDatabase({ databaseUrl: urlOf(standby.connection) }, say)
  await expect
    .poll(() => said, { timeout: 20_000 })
    .toEqual([
      `Waiting for the database of DATABASE_URL (${standby.connection.host}:5432 is a standby, or read-only).`,
    ])
  await standby.promote()
  expect((await reaching).database).toBe('portico')
})

const asPooler = () => reachPooler(addressOf('external'), say)
const ask = (sql: string) =>
  withClient(connectionFromUrl(addressOf('external')), (client) => client.query(sql))

test('no session compiles statements, whatever the server does by itself', async () => {
  await ask('alter role portico in database external set jit = on')
  onTestFinished(async () => void (await ask('alter role portico in database external reset all')))
  const pool = new Pool(connectionFromUrl(addressOf('external')), 1, () => undefined)
  onTestFinished(() => pool.close())
  const jit = "select current_setting('jit') as jit"
  expect(await pool.run({ sql: jit, values: [] })).toEqual([{ jit: 'off' }])
  // Jobs and commands have no pool.
  expect((await ask(jit)).rows).toEqual([{ jit: 'off' }])
})

test('behind a pooler the role has to have the settings of a session; the start says which lines set them', async () => {
  // The server of the tests compiles nothing, unlike most others.
  await ask('alter role portico in database external set jit = on')
  onTestFinished(async () => void (await ask('alter role portico in database external reset all')))
  const failed = await asPooler().catch((error: unknown) => error)
  expect(String(failed)).toContain(`then RECONNECT in the console of the pooler:
  alter role "portico" in database "external" set statement_timeout = '5s';
  alter role "portico" in database "external" set plan_cache_mode = 'force_generic_plan';
  alter role "portico" in database "external" set jit = 'off';`)
  const lines = String(failed)
    .split('\n')
    .filter((line) => line.trim().startsWith('alter role'))
  await ask(lines.join('\n'))
  const connection = await asPooler()
  // The settings for requests apply neither to jobs nor to commands.
  const { rows } = await ask("select current_setting('statement_timeout') as longest")
  expect([connection.pooled, rows]).toEqual([true, [{ longest: '0' }]])
})

test('behind a pooler a statement has no name, and a session no settings of its own', async () => {
  const connection = { ...connectionFromUrl(addressOf('external')), pooled: true }
  const pool = new Pool(connection, 1, () => undefined)
  onTestFinished(() => pool.close())
  const settings =
    "select current_setting('statement_timeout') as longest, current_setting('timezone') as zone"
  const own = await ask(settings)
  expect(await pool.run({ sql: settings, values: [] })).toEqual([{ longest: '0', zone: own.rows[0].zone }])
  const names = 'select name from pg_prepared_statements'
  expect(await pool.run({ sql: names, values: [] })).toEqual([])
  const direct = new Pool(connectionFromUrl(addressOf('external')), 1, () => undefined)
  onTestFinished(() => direct.close())
  expect(await direct.run({ sql: settings, values: [] })).toEqual([{ longest: '5s', zone: 'UTC' }])
  expect(await direct.run({ sql: names, values: [] })).toHaveLength(2)
})
