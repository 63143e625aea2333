import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { connectionFromUrl } from '#platform/db/connection.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { queuePool } from '#platform/jobs/queue-pool.ts'
import { testApp } from './support/app.ts'
import { Browser, person } from './support/people.ts'
import { startPair, urlOf } from './support/standby.ts'

const pair = await startPair(async (connection) => {
  await migrate(connection)
  await installJobs(connection)
})
const servers = connectionFromUrl(urlOf(...pair.connections))
const pool = new Pool(servers, 10, () => undefined)
const queue = queuePool(servers, 2, () => undefined)
afterAll(async () => {
  await pool.close()
  await queue.end()
  await pair.stop()
})
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn('ana@example.com')
const token = browser.cookies.get('token') ?? ''

type Answer = { readonly at: number; readonly status: number; readonly text: string }
const answers: Answer[] = []
/** The workspaces whose creation was acknowledged. */
const acknowledged: string[] = []

/** Writes and reads until it is stopped. */
async function work(stopping: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
  const ask = async (url: string, more: RequestInit = {}) => {
    const answer = await fetch(`${origin}${url}`, { ...more, headers })
    answers.push({ at: performance.now(), status: answer.status, text: await answer.text() })
    return answer.status
  }
  while (!stopping.aborted) {
    const name = randomUUID().slice(0, 16)
    const body = JSON.stringify({ data: { type: 'projects', attributes: { name } } })
    if ((await ask('/api/v1/projects', { method: 'POST', body })) === 201) acknowledged.push(name)
    await ask('/api/v1/projects?page[size]=5')
    await sleep(20)
  }
}

/** Waits for more answers of one kind. */
async function more(isMeant: (status: number) => boolean): Promise<void> {
  const since = performance.now()
  const seen = () => answers.filter(({ at, status }) => at > since && isMeant(status)).length
  await expect.poll(seen, { timeout: 30_000 }).toBeGreaterThan(20)
}

test('a write that no standby confirmed is not acknowledged, and its repetition is once it is', async () => {
  const name = randomUUID().slice(0, 16)
  const create = async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/projects',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/vnd.api+json',
        'idempotency-key': name,
      },
      payload: JSON.stringify({ data: { type: 'projects', attributes: { name } } }),
    })
    return [answer.statusCode, answer.headers['idempotency-replayed']]
  }
  const goOn = pair.pauseStandby()
  try {
    // PostgreSQL waits without a limit, and the request does not. The second one waits for the first, which holds its key.
    expect(await create()).toEqual([503, undefined])
    expect(await create()).toEqual([503, undefined])
  } finally {
    goOn()
  }
  expect(await create()).toEqual([201, 'true'])
  const { rowCount } = await withClient(servers, (client) =>
    client.query('select from projects where name = $1', [name]),
  )
  expect(rowCount).toBe(1)
})

test('the primary is lost under writes: the promoted standby takes over, and no acknowledged write is lost', async () => {
  const stopping = new AbortController()
  const working = Promise.all(Array.from({ length: 4 }, () => work(stopping.signal)))
  await more((status) => status < 400)
  await pair.killPrimary()
  await more((status) => status === 503)
  await pair.promote()
  await more((status) => status < 400)
  stopping.abort()
  await working

  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201, 503])
  const { rows } = await withClient(servers, (client) =>
    client.query<{ name: string }>('select name from projects'),
  )
  const kept = new Set(rows.map(({ name }) => name))
  expect(acknowledged.filter((name) => !kept.has(name))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(20)
  // The queue of jobs follows as well.
  expect((await queue.query('select pg_is_in_recovery() as is')).rows).toEqual([{ is: false }])
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
})
