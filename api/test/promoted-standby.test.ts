import { base, mediaType } from '@portico/contract/wire.ts'
import { afterAll, expect, test } from 'vitest'
import type { Connection } from '#platform/db/connection.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { scrape, testApp } from './support/app.ts'
import { Browser, person } from './support/people.ts'
import { startStandby } from './support/standby.ts'
import { until } from './support/temporary.ts'

let token = ''

/** Signs a person in, as long as the database takes writes. */
async function prepare(connection: Connection): Promise<void> {
  await migrate(connection)
  await installJobs(connection)
  const primary = new Pool(connection, 2, () => undefined)
  const { app } = await testApp(primary)
  await person(primary, 'ana@example.com')
  const browser = new Browser(app)
  await browser.signIn('ana@example.com')
  token = browser.cookies.get('token') ?? ''
  await app.close()
  await primary.close()
}

const standby = await startStandby(prepare)
const pool = new Pool(standby.connection, 2, () => undefined)
afterAll(async () => {
  await pool.close()
  await standby.stop()
})
const { app, lines } = await testApp(pool)
const headers = { authorization: `Bearer ${token}`, 'content-type': mediaType }
const payload = JSON.stringify({ data: { type: 'projects', attributes: { name: 'New' } } })
const add = () => app.inject({ method: 'POST', url: `${base}/projects`, headers, payload })
const readiness = async () => {
  const { statusCode, body } = await app.inject('/readyz')
  return [statusCode, body]
}

test('a read-only database is read, a person who saves gets a sentence with an id, and it ends with the promotion', async () => {
  const refused = await add()
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().errors]).toEqual([
    503,
    '1',
    [expect.objectContaining({ id: refused.headers['x-request-id'], code: 'writes_refused' })],
  ])
  expect(lines.filter(({ msg }) => msg === 'unexpected error')).toEqual([])
  expect((await app.inject({ url: `${base}/projects`, headers })).statusCode).toBe(200)
  const limited = [200, 'ready, but nothing can be saved: the database is read-only\n']
  expect(await readiness()).toEqual(limited)
  const { body } = await app.inject(scrape)
  expect(body).toMatch(/^portico_refused_writes_total\{reason="read_only"\} [1-9]/m)
  expect(body).toMatch(/^portico_writable 0$/m)

  await standby.promote()
  await until(async () => (await add()).statusCode === 201 || undefined)
  expect((await app.inject(scrape)).body).toMatch(/^portico_writable 1$/m)
  expect(await readiness()).toEqual([200, 'ready\n'])
})
