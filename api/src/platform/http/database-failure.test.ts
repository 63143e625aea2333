import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Pool } from '#platform/db/pool.ts'
import { testDatabase } from '#test/support/database.ts'
import { databaseFailure } from './database-failure.ts'

const { pool, connection } = await testDatabase()

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const run = (on: Pool, text: string) => on.run({ sql: text, values: [] })

function statusOf(error: unknown): number | undefined {
  const problem = databaseFailure(error)
  if (problem) expect(problem.headers).toEqual({ 'retry-after': '1' })
  return problem?.status
}

test('a database that is not there is 503', async () => {
  const nowhere = [
    { host: '/nonexistent', port: 5432, database: 'x' },
    { host: '127.0.0.1', port: 1, database: 'x' },
    { host: 'nowhere.invalid', port: 5432, database: 'x' },
  ]
  for (const where of nowhere) {
    const lost = new Pool(where, 1, () => undefined)
    expect(statusOf(await thrownBy(run(lost, 'select 1')))).toBe(503)
    await lost.close()
  }
})

test('a connection that ends during a statement is 503, and the next statement succeeds', async () => {
  const own = new Pool(connection, 1, () => undefined)
  const [row] = await run(own, 'select pg_backend_pid() as pid')
  const sleeping = thrownBy(run(own, 'select pg_sleep(10)'))
  await expect
    .poll(
      async () => (await pool.run({ sql: 'select pg_terminate_backend($1) as done', values: [row?.pid] }))[0],
    )
    .toEqual({ done: true })
  expect(statusOf(await sleeping)).toBe(503)
  expect(await run(own, 'select 1 as one')).toEqual([{ one: 1 }])
  await own.close()
})

test('a pool whose connections are all busy is 503', async () => {
  const narrow = new Pool(connection, 1, () => undefined)
  const busy = run(narrow, 'select pg_sleep(2)')
  expect(statusOf(await thrownBy(run(narrow, 'select 1')))).toBe(503)
  await busy
  await narrow.close()
})

test('a statement that takes too long is 503', async () => {
  const slow = pool.kysely.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 20`.execute(tx)
    await sql`select pg_sleep(5)`.execute(tx)
  })
  expect(statusOf(await thrownBy(slow))).toBe(503)
})

test('an error in a statement is no temporary failure', async () => {
  for (const wrong of ['select 1/0', 'selec', 'select * from nothing_of_that_name', "select 'x'::int"])
    expect(statusOf(await thrownBy(run(pool, wrong)))).toBeUndefined()
  expect(
    statusOf(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })),
  ).toBeUndefined()
  expect(statusOf(new Error('Connection to the panel refused'))).toBeUndefined()
})
