import { expect, test } from 'vitest'
import { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'

const { pool, connection } = await testDatabase()
const { app } = await testApp(pool, { env: { trustedProxies: ['10.1.0.0/16'] } })

test('the portal is alive and ready when the database is reachable and its migrations are current', async () => {
  expect((await app.inject('/healthz')).body).toBe('alive\n')
  expect((await app.inject('/readyz')).statusCode).toBe(200)
})

test('the portal becomes ready when no migrations are missing', async () => {
  const { app: younger } = await testApp(pool)
  const undone = await pool.run({
    sql: 'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum',
    values: [],
  })
  const answer = await younger.inject('/readyz')
  expect([answer.statusCode, answer.body]).toEqual([503, 'not ready: the database lacks migrations\n'])
  await pool.run({
    sql: 'insert into schema_migrations (name, checksum) values ($1, $2)',
    values: [undone[0]?.name, undone[0]?.checksum],
  })
  expect((await younger.inject('/readyz')).statusCode).toBe(200)
})

test('without its database it is alive but not ready, and says so within a second', async () => {
  const lost = new Pool({ host: '127.0.0.1', port: 1, database: 'x' }, 1, () => undefined)
  const { app: alone } = await testApp(lost)
  expect((await alone.inject('/healthz')).statusCode).toBe(200)
  expect((await alone.inject('/readyz')).statusCode).toBe(503)
  const busy = new Pool(connection, 1, () => undefined)
  const sleeping = busy.run({ sql: 'select pg_sleep(4.5)', values: [] })
  const { app: waiting } = await testApp(busy)
  await waiting.ready()
  const begun = performance.now()
  const answer = await waiting.inject('/readyz')
  expect([answer.statusCode, answer.body]).toEqual([503, 'not ready: the database does not answer\n'])
  expect(performance.now() - begun).toBeLessThan(4000)
  await sleeping
  await Promise.all([lost.close(), busy.close()])
})

test('the metrics count requests by pattern, and hold the pool and the process', async () => {
  await app.inject('/api/v1/projects/1')
  await app.inject('/api/v1/projects/2')
  const { body, headers } = await app.inject(scrape)
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/projects/:id",status="4xx"} 2',
  )
  expect(body).toMatch(/^http_requests_in_flight 1$/m)
  expect(body).toMatch(/^portico_database_connections\{state="busy"\} \d+$/m)
  expect(body).toMatch(/^portico_database_waiting 0$/m)
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(body).toMatch(/^process_resident_memory_bytes /m)
})

test('the networks of METRICS_NETWORKS read the metrics without a token, and never through a proxy', async () => {
  const { app: networks } = await testApp(pool, {
    env: { metricsNetworks: ['10.1.0.0/16'], trustedProxies: ['10.2.0.0/16'], metricsToken: undefined },
  })
  const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await networks.inject({ url: '/metrics', remoteAddress, headers })).statusCode
  expect(await status('10.1.9.9')).toBe(200)
  // Neither a trusted proxy nor this machine may read them without being named.
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.2.0.1', '203.0.113.5'])
    expect(await status(address), address).toBe(404)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect(await status('10.1.9.9', { [name]: '203.0.113.5' }), name).toBe(404)
  expect(await status('127.0.0.1', { authorization: 'Bearer undefined' })).toBe(404)
})

test('with a token the metrics are for those who show it, wherever they come from', async () => {
  const { authorization } = scrape.headers
  const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
  expect(await status('203.0.113.5', { authorization })).toBe(200)
  expect(await status('127.0.0.1', { authorization, 'x-forwarded-for': '203.0.113.5' })).toBe(200)
  for (const wrong of [
    '',
    'Bearer ',
    `${authorization}x`,
    authorization.slice(0, -1),
    authorization.slice(7),
  ])
    for (const address of ['127.0.0.1', '10.1.9.9'])
      expect(await status(address, { authorization: wrong }), wrong).toBe(404)
  expect(await status('10.1.9.9')).toBe(404)
})

test('the portal is not ready while a demo is created, and requests for data wait until then', async () => {
  const { promise: filled, resolve } = Promise.withResolvers<void>()
  const { app: young } = await testApp(pool, { filled })
  await young.ready()
  let answered = false
  const waiting = young.inject('/api/user').finally(() => {
    answered = true
  })
  const early = await young.inject('/readyz')
  expect([early.statusCode, early.body]).toEqual([503, 'not ready: the demo is being seeded\n'])
  // The same request to a portal that is filled is answered meanwhile.
  expect((await app.inject('/api/user')).statusCode).toBe(401)
  expect(answered).toBe(false)
  resolve()
  expect([(await waiting).statusCode, (await young.inject('/readyz')).statusCode]).toEqual([401, 200])
})

test('a request that waited for a demo gets an error when the demo could not be made', async () => {
  const { promise: filled, reject } = Promise.withResolvers<void>()
  const { app: failed } = await testApp(pool, { filled })
  await failed.ready()
  const waiting = failed.inject('/api/user')
  reject(refuse('unavailable'))
  const answer = await waiting
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([503, 'unavailable'])
})
