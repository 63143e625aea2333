import { expect, onTestFinished, test } from 'vitest'
import { databaseFailure } from '#platform/http/database-failure.ts'
import { testDatabase } from '#test/support/database.ts'
import { startRelay } from '#test/support/relay.ts'
import { Pool, runnerOf } from './pool.ts'
import { setForTransaction } from './settings.ts'

type Seen = { readonly pid: number; readonly plans: number }

const seen = {
  sql: 'select pg_backend_pid() as pid, (select count(*) from pg_prepared_statements) as plans',
  values: [],
}

/** One connection without a pooler, even when the run has one: only such a connection has a session and plans of its own. */
async function directPool(): Promise<Pool> {
  const pool = new Pool((await testDatabase(1)).connection, 1, () => undefined)
  onTestFinished(() => pool.close())
  return pool
}

test('a statement is planned once on a connection', async () => {
  const pool = await directPool()
  for (let at = 0; at < 5; at++) await pool.run({ sql: 'select $1::int as one', values: [at] })
  // The question itself is the second.
  expect((await pool.run<Seen>(seen))[0]?.plans).toBe(2)
})

test('a client that invents statements does not fill a connection with their plans', async () => {
  const pool = await directPool()
  const [first] = await pool.run<Seen>(seen)
  const plans: number[] = []
  for (let at = 0; at < 900; at++) {
    await pool.run({ sql: `select ${at} as invented`, values: [] })
    if (at % 50 === 0) plans.push((await pool.run<Seen>(seen))[0]?.plans ?? 0)
  }
  expect(Math.max(...plans)).toBeGreaterThan(100)
  expect(Math.max(...plans)).toBeLessThanOrEqual(201)
  expect((await pool.run<Seen>(seen))[0]?.pid).not.toBe(first?.pid)
})

test('the same holds for what transactions send', async () => {
  const pool = await directPool()
  const inTransaction = (sql: string) =>
    pool.kysely.transaction().execute((tx) => runnerOf(tx).run<Seen>({ sql, values: [] }))
  for (let at = 0; at < 300; at++) await inTransaction(`select ${at} as invented`)
  const [after] = await inTransaction(seen.sql)
  expect(after?.plans).toBeLessThanOrEqual(201)
})

test('a connection on which a statement failed is not used again', async () => {
  const pool = await directPool()
  const [before] = await pool.run<Seen>(seen)
  await expect(pool.run({ sql: 'select nothing', values: [] })).rejects.toThrow('does not exist')
  const [after] = await pool.run<Seen>(seen)
  expect(after?.pid).not.toBe(before?.pid)
})

test('a connection survives a value that does not fit, so that nonsense cannot exhaust the pool', async () => {
  const pool = await directPool()
  const [before] = await pool.run<Seen>(seen)
  for (const value of ['0000-01-01', '2026-02-30', 'x'])
    await expect(pool.run({ sql: 'select $1::date', values: [value] })).rejects.toThrow(/date/)
  const [after] = await pool.run<Seen>(seen)
  expect(after?.pid).toBe(before?.pid)
})

test('a server that vanished without a word is 503, and its connections are replaced', async () => {
  const { pool, connection } = await testDatabase()
  let vanished = false
  const relay = await startRelay(connection, (client, server) => {
    client.on('data', (chunk) => vanished || server.write(chunk))
    server.pipe(client)
  })
  const relayed = new Pool(relay.connection, 2, () => undefined)
  onTestFinished(async () => {
    await relayed.close()
    relay.stop()
  })
  const both = [
    () => relayed.run(seen),
    () => relayed.kysely.transaction().execute((tx) => runnerOf(tx).run(seen)),
  ]
  await Promise.all(both.map((work) => work()))
  vanished = true
  const failures = await Promise.all(both.map((work) => work().catch((error: unknown) => error)))
  expect(failures.map((error) => databaseFailure(error)?.status)).toEqual([503, 503])
  vanished = false
  expect(await Promise.all(both.map((work) => work()))).toHaveLength(2)
  expect(await pool.run(seen)).toHaveLength(1)
})

test('a statement that was given more time may be silent for long', async () => {
  const { pool } = await testDatabase()
  const slept = await pool.kysely.transaction().execute(async (tx) => {
    await setForTransaction(tx, 'statement_timeout', '20s')
    return runnerOf(tx).run({ sql: 'select pg_sleep(9) is null as done', values: [] })
  })
  expect(slept).toEqual([{ done: false }])
})
