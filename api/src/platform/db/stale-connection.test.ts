import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { databaseFailure } from '#platform/http/database-failure.ts'
import { testDatabase } from '#test/support/database.ts'
import { startRelay } from '#test/support/relay.ts'
import { startStandby } from '#test/support/standby.ts'
import { migrate } from './migrate.ts'
import { Pool } from './pool.ts'
import { transact } from './transact.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const own = (size: number, to = connection) => {
  const made = new Pool(to, size, () => undefined)
  afterAll(() => made.close())
  return made
}

beforeEach(async () => {
  await sql`drop table if exists changing`.execute(db)
  await sql`create table changing (id int8 generated always as identity, amount int not null)`.execute(db)
})

const all = { sql: 'select amount from changing order by id', values: [] }
const add = sql`insert into changing (amount) values (1) returning amount`
const makeWider = () => sql`alter table changing alter amount type bigint`.execute(db)
const pidOf = async (of: Pool) =>
  (await of.run({ sql: 'select pg_backend_pid() as pid', values: [] }))[0]?.pid

/** Has each connection of a pool prepare a statement. */
const prepare = (of: Pool, many: number) => Promise.all(Array.from({ length: many }, () => of.run(all)))

test('a statement that a migration made stale is answered, on every connection of the pool', async () => {
  const wide = own(3)
  await prepare(wide, 3)
  await makeWider()
  const sent: string[] = []
  wide.observe((text) => sent.push(text))
  expect(await prepare(wide, 3)).toEqual([[], [], []])
  expect(sent).toHaveLength(3)
})

test('so is one that kysely sends, with what it writes written once', async () => {
  const single = own(1)
  const before = await pidOf(single)
  await add.execute(single.kysely)
  await makeWider()
  expect((await add.execute(single.kysely)).rows).toEqual([{ amount: 1 }])
  expect(await single.run(all)).toHaveLength(2)
  expect(await pidOf(single)).not.toBe(before)
})

test('a transaction that meets a stale statement runs again as a whole', async () => {
  const single = own(1)
  await add.execute(single.kysely)
  await makeWider()
  let runs = 0
  const work = transact(single.kysely, 'read write', async (tx) => {
    runs += 1
    await sql`insert into changing (amount) values (2)`.execute(tx)
    return (await add.execute(tx)).rows
  })
  expect(await work).toEqual([{ amount: 1 }])
  expect(runs).toBe(2)
  expect((await single.run(all)).map(({ amount }) => amount)).toEqual([1, 2, 1])
})

test('a transaction that does not run again is 503, and its connection is not used any more', async () => {
  const single = own(1)
  const before = await pidOf(single)
  await add.execute(single.kysely)
  await makeWider()
  const failed = await single.kysely
    .transaction()
    .execute((tx) => add.execute(tx))
    .catch((error: unknown) => error)
  expect(databaseFailure(failed)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(await pidOf(single)).not.toBe(before)
  expect(await single.run(all)).toHaveLength(1)
})

test('a prepared statement that a pooler has lost is prepared again', async () => {
  const single = own(1)
  await single.run(all)
  await sql`deallocate all`.execute(single.kysely)
  expect(await single.run(all)).toEqual([])
  await sql`deallocate all`.execute(single.kysely)
  await transact(single.kysely, 'read write', (tx) => add.execute(tx))
  expect(await single.run(all)).toHaveLength(1)
})

test('a commit whose answer is lost is not repeated', async () => {
  const relay = await startRelay(connection, (client, server) => {
    let committing = false
    client.on('data', (chunk) => {
      committing ||= chunk.includes('commit')
      server.write(chunk)
    })
    server.on('data', (chunk) => (committing ? client.destroy() : client.write(chunk)))
  })
  const relayed = own(1, relay.connection)
  let runs = 0
  const work = transact(relayed.kysely, 'read write', async (tx) => {
    runs += 1
    await add.execute(tx)
  })
  const failed = await work.catch((error: unknown) => error)
  expect(databaseFailure(failed)?.status).toBe(503)
  expect(runs).toBe(1)
  expect(await pool.run(all)).toHaveLength(1)
  relay.stop()
})

test('a standby is 503 until it is promoted; the start says so in a sentence', async () => {
  const standby = await startStandby(() => Promise.resolve())
  const single = new Pool(standby.connection, 1, () => undefined)
  onTestFinished(async () => {
    await single.close()
    await standby.stop()
  })
  await expect(migrate(standby.connection)).rejects.toThrow(
    'The database does not accept writes: it is a standby, or read-only. Point DATABASE_URL to the primary.',
  )
  const write = () =>
    transact(single.kysely, 'read write', (tx) => sql`create table if not exists written ()`.execute(tx))
  const before = await pidOf(single)
  const failed = await write().catch((error: unknown) => error)
  expect(databaseFailure(failed)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(await pidOf(single)).not.toBe(before)
  const written = single.run({ sql: 'create table written ()', values: [] })
  expect(databaseFailure(await written.catch((error: unknown) => error))?.status).toBe(503)
  await standby.promote()
  await expect.poll(() => write().then(() => 'written', String), { timeout: 20_000 }).toBe('written')
})
