import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { Pool } from '#platform/db/pool.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { Browser, person } from './support/people.ts'

const { pool, connection } = await testDatabase()
const second = new Pool(connection, 10, () => undefined)
afterAll(() => second.close())
const env = { rateLimitScale: 1000 }
const { app } = await testApp(pool, { env })
const replicas = [app, (await testApp(second, { env })).app]
const origins = await Promise.all(replicas.map((one) => one.listen({ port: 0, host: '127.0.0.1' })))

await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn('ana@example.com')
const token = browser.cookies.get('token') ?? ''

type Answer = { readonly status: number; readonly text: string }
const answers: Answer[] = []

/** Writes and reads at one replica, until it is stopped. */
async function work(origin: string, stopping: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
  const ask = async (url: string, more: RequestInit = {}) => {
    const answer = await fetch(`${origin}${url}`, { ...more, headers })
    answers.push({ status: answer.status, text: await answer.text() })
  }
  while (!stopping.aborted) {
    const name = randomUUID().slice(0, 16)
    const body = JSON.stringify({ data: { type: 'projects', attributes: { name } } })
    await ask('/api/v1/projects', { method: 'POST', body })
    await ask('/api/v1/projects?page[size]=5')
    await sleep(20)
  }
}

/** Waits until every worker has had answers since. */
async function more(): Promise<void> {
  const before = answers.length
  await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(before + 20)
}

test('running replicas answer every request while migrations add, drop and change columns', async () => {
  const stopping = new AbortController()
  const working = Promise.all([...origins, ...origins].map((origin) => work(origin, stopping.signal)))
  await more()
  for (const change of [
    'projects add column later int',
    'projects drop column later',
    'clients add column later int',
    'auth_sessions add column later int',
    'projects alter column created_at type timestamptz(3)',
    'projects alter column created_at type timestamptz',
  ]) {
    await sql.raw(`alter table ${change}`).execute(pool.kysely)
    await more()
  }
  stopping.abort()
  await working
  expect(answers.filter(({ status }) => status >= 400)).toEqual([])
}, 60_000)
