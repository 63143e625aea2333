import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkReplica, checkStandbys } from '#desk/checks/database.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { sqlStates } from '#platform/db/sql-states.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { inSnapshot } from '#platform/jsonapi/read/cursor.ts'
import { scrape, testApp } from './support/app.ts'
import { movedBalance } from './support/money.ts'
import { Browser, person } from './support/people.ts'
import { startPair } from './support/standby.ts'

const pair = await startPair(async (connection) => {
  await migrate(connection)
  await installJobs(connection)
})
const [first, second] = pair.connections
const open = (connection: Connection) => new Pool(connection, 4, () => undefined)
const [pool, replica] = [open(first), open(second)]
const lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
const reads = new Reads(pool, replica, log)
afterAll(async () => {
  await pool.close()
  await reads.close()
  await pair.stop()
})
const { app } = await testApp(pool, { reads, env: { rateLimitScale: 1000 } })
const { id: clientId } = await person(pool, 'ana@example.com')
const ana = new Browser(app)
await ana.signIn('ana@example.com')
const headers = {
  authorization: `Bearer ${ana.cookies.get('token')}`,
  'content-type': 'application/vnd.api+json',
}

const onReplica = (sql: string) => withClient(second, (client) => client.query(sql))

let changes = 0

/** A change that the export of the person's billing log has as a line. */
async function changeBalance(): Promise<void> {
  changes += 1
  await movedBalance(pool, clientId, '1.5', '2026-01-10')
}

/** The number of exported lines, and whether the replica was asked for them. */
async function exported(): Promise<{ lines: number; byReplica: boolean }> {
  let byReplica = false
  const unobserve = replica.observe((sql) => {
    byReplica ||= sql.startsWith('declare exported')
  })
  const { body, statusCode } = await app.inject({ url: '/api/v1/billing-logs/-actions/export', headers })
  unobserve()
  expect(statusCode).toBe(200)
  return { lines: body.trim().split('\r\n').length - 1, byReplica }
}

const samples = async (name: string) =>
  (await app.inject(scrape)).body.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'))

test('exports come from the replica, and have what the person wrote a moment ago', async () => {
  for (let round = 0; round < 20; round++) {
    await changeBalance()
    expect(await exported()).toEqual({ lines: changes, byReplica: true })
  }
  expect(await samples('portico_read_lag_seconds')).toEqual(['portico_read_lag_seconds 0'])
  expect(reads.counts).toMatchObject({ behind: 0, away: 0, failed: 0 })
})

test('metrics of the portal come from the replica, and the lease from the primary', async () => {
  const seen: string[] = []
  const unobserve = replica.observe((sql) => seen.push(sql))
  expect(await samples('portico_staff_alerts')).toEqual(['portico_staff_alerts 0'])
  unobserve()
  expect(seen.filter((sql) => sql.includes('staff_alerts'))).toHaveLength(1)
  expect(seen.filter((sql) => sql.includes('measured_by'))).toEqual([])
})

test('a replica that is behind answers no export, and metrics for half a minute', async () => {
  await onReplica('select pg_wal_replay_pause()')
  onTestFinished(async () => void (await onReplica('select pg_wal_replay_resume()')))
  await changeBalance()
  expect(await exported()).toEqual({ lines: changes, byReplica: false })
  const [lag] = await samples('portico_read_lag_seconds')
  expect(Number(lag?.split(' ')[1])).toBeGreaterThan(0.5)
  const who = (most: number) => reads.use(async (one) => (one === replica ? 'replica' : 'primary'), most)
  expect([await who(0), await who(3600)]).toEqual(['primary', 'replica'])
  expect(await samples('portico_replica_reads_total{outcome="behind"}')).not.toEqual([
    'portico_replica_reads_total{outcome="behind"} 0',
  ])
})

test('what the replica ends is read on the primary, except what took too long', async () => {
  const failing = (code: string) => (one: Pool) =>
    one === replica ? Promise.reject(Object.assign(new Error('ended'), { code })) : Promise.resolve('primary')
  expect(await reads.use(failing(sqlStates.serializationFailure))).toBe('primary')
  await expect(reads.use(failing(sqlStates.queryCanceled))).rejects.toThrow('ended')
  expect(reads.counts?.failed).toBe(1)
})

test('a file of several statements whose first one the replica ends is written on the primary', async () => {
  let begun = 0
  const text = inSnapshot(reads, '10s', async function* write(read) {
    begun += 1
    for await (const { n } of read({ sql: 'select 1 as n', values: [] })) {
      if (begun === 1) throw Object.assign(new Error('ended'), { code: sqlStates.serializationFailure })
      yield `${n}`
    }
    for await (const { n } of read({ sql: 'select 2 as n', values: [] })) yield `${n}`
  })
  const parts: string[] = []
  for await (const part of text) parts.push(part)
  expect([parts, begun]).toEqual([['1', '2'], 2])
})

test('a measure that the replica ends comes from the primary, and one that took too long is missing', async () => {
  const scraped = async (code: string) => {
    await pool.run({ sql: `delete from settings where key = 'measured_by'`, values: [] })
    const other = open(second)
    onTestFinished(() => other.close())
    const whole = other.run.bind(other)
    const run: Pool['run'] = (statement) =>
      statement.sql.includes('from staff_alerts')
        ? Promise.reject(Object.assign(new Error('ended'), { code }))
        : whole(statement)
    const { app: one } = await testApp(pool, { reads: new Reads(pool, Object.assign(other, { run })) })
    const { body, statusCode } = await one.inject(scrape)
    return [statusCode, /^portico_staff_alerts \d/m.test(body)]
  }
  expect(await scraped(sqlStates.serializationFailure)).toEqual([200, true])
  expect(await scraped(sqlStates.queryCanceled)).toEqual([200, false])
  await pool.run({ sql: `delete from settings where key = 'measured_by'`, values: [] })
})

test('a server with another database, or one that is no standby, is not read', async () => {
  const postgres = open({ ...second, database: 'postgres' })
  const primary = open(first)
  onTestFinished(() => Promise.all([postgres.close(), primary.close()]).then(() => undefined))
  for (const [other, fault] of [
    [postgres, 'it has another database than DATABASE_URL'],
    [primary, 'it is not a standby'],
  ] as const) {
    const mistaken = new Reads(pool, other, log)
    expect(await mistaken.use(async (one) => one === pool)).toBe(true)
    expect(lines.at(-1)).toMatchObject({ fault })
  }
})

test('a primary that takes no writes is read itself', async () => {
  // What a server is after a switchover, while its pools are still connected.
  const follower = open(second)
  onTestFinished(() => follower.close())
  const here = new Reads(follower, replica, log)
  expect(await here.use(async (one) => one === follower)).toBe(true)
  expect(here.counts).toMatchObject({ away: 1, failed: 0 })
  expect(lines.at(-1)).toMatchObject({ fault: expect.stringContaining('recovery is in progress') })
})

test('the doctor says whether the replica is used', async () => {
  const url = ({ host = '', database }: Connection) =>
    `postgres://portico@${encodeURIComponent(host)}:5432/${database}`
  const states = [second, { ...second, database: 'postgres' }, { ...second, host: '/nowhere' }].map((one) =>
    checkReplica(first, url(one)),
  )
  expect((await Promise.all(states)).map(({ state }) => state)).toEqual(['good', 'warn', 'warn'])
})

test('the doctor counts the standbys, also as a role that may see no more of them', async () => {
  await withClient(first, (client) => client.query('create role plain login'))
  for (const user of [first.user ?? '', 'plain']) {
    expect(await checkStandbys({ ...first, user }, 1)).toMatchObject({ state: 'good' })
    expect(await checkStandbys({ ...first, user }, 2)).toMatchObject({
      state: 'warn',
      words: { en: expect.stringContaining('only 1 of 2 attached') },
    })
  }
  expect(await checkStandbys({ ...first, host: '/nowhere' }, 1)).toMatchObject({ state: 'warn' })
})

test('without the replica everything is read from the primary, and each failure is not waited for', async () => {
  await pair.stopStandby()
  expect(await checkStandbys(first, 1)).toMatchObject({
    state: 'warn',
    words: { en: expect.stringContaining('only 0 of 1 attached') },
  })
  expect((await exported()).byReplica).toBe(false)
  const begun = performance.now()
  expect(await exported()).toEqual({ lines: changes, byReplica: false })
  expect(performance.now() - begun).toBeLessThan(4000)
  expect(await samples('portico_read_lag_seconds')).toEqual([])
  expect(lines.filter(({ msg }) => String(msg).includes('primary is read')).length).toBeGreaterThan(0)
})
