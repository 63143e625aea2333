import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { reachDatabase, reachPooler } from '#platform/db/external.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { Browser, person } from './support/people.ts'
import { hasPgBouncer, startPgBouncer } from './support/pgbouncer.ts'
import { poolerUrl, startPooler } from './support/pooler.ts'

if (!hasPgBouncer) console.log('PgBouncer: skipped (no pgbouncer), a stand-in takes its place.')

const sessions = 3
const { connection } = await testDatabase()
const ask = (sql: string) => withClient(connection, (client) => client.query(sql))
const forget = () => ask(`alter role portico in database ${connection.database} reset all`)
// With TEST_POOLER=1 the role already has the settings.
await forget()
const pooler = await (hasPgBouncer ? startPgBouncer : startPooler)(connection, sessions)
const say = () => undefined
const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

// The advice of the first start is followed, and the pooler connects again, as RECONNECT in its console does.
const refused = await reachPooler(pooler.url, say).catch((error: unknown) => String(error))
await ask(
  String(refused)
    .match(/alter role .*;/g)
    ?.join('\n') ?? '',
)
await ask(`select pg_terminate_backend(pid, 20000) ${others}`)
const pool = new Pool(await reachPooler(pooler.url, say), 20, () => undefined)
afterAll(async () => {
  await pool.close()
  await pooler.stop()
  await forget()
})
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn('ana@example.com')
const headers = {
  authorization: `Bearer ${browser.cookies.get('token')}`,
  'content-type': 'application/vnd.api+json',
}

async function read(): Promise<number> {
  return (await fetch(`${origin}/api/v1/projects?include=panels&page[size]=5`, { headers })).status
}

async function write(): Promise<number> {
  const body = JSON.stringify({
    data: { type: 'projects', attributes: { name: randomUUID().slice(0, 16) } },
  })
  return (await fetch(`${origin}/api/v1/projects`, { method: 'POST', body, headers })).status
}

test('the start says which statements give the role what a session needs', () => {
  expect(refused).toContain(
    `alter role "portico" in database "${connection.database}" set plan_cache_mode = 'force_generic_plan';`,
  )
})

test('requests of one replica share few sessions, and none fails', async () => {
  for (let round = 0; round < 15; round++) {
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? write() : read())))
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 ? 201 : 200)))
  }
  expect((await ask(`select count(*)::int as used ${others}`)).rows).toEqual([{ used: sessions }])
})

test('a second start installs the queue without waiting for a lock of the first', async () => {
  const databaseDirectUrl = poolerUrl(connection, connection.host ?? '')
  for (const start of [1, 2]) {
    await installJobs(await reachDatabase({ databaseUrl: pooler.url, databaseDirectUrl }, say))
    const locks =
      "select from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database()"
    expect((await ask(locks)).rowCount, `start ${start}`).toBe(0)
  }
})

test('without DATABASE_POOLER the address of a pooler is refused in a sentence', async () => {
  await expect(reachDatabase({ databaseUrl: pooler.url }, say)).rejects.toThrow(
    'The database of DATABASE_URL cannot be used: unsupported startup parameter: options.',
  )
})
