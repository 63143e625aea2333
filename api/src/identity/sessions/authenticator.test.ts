import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })

/** Counts the statements that ask who is behind a session, while `work` runs. */
async function principalStatements(work: () => Promise<unknown>): Promise<number> {
  let statements = 0
  const stop = pool.observe((sql) => {
    if (sql.includes('from auth_sessions s join auth_accounts')) statements++
  })
  await work()
  stop()
  return statements
}

async function signedIn(email: string) {
  await person(pool, email)
  const browser = new Browser(app)
  await browser.signIn(email)
  return browser
}

test('every request asks the database who it is from, and requests at the same moment ask together', async () => {
  const ada = await signedIn('ada@example.test')
  const bob = await signedIn('bob@example.test')
  const both = async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) => (i % 2 ? ada : bob).get('/api/v1/projects')),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const owners = answers.map((answer) => answer.json().data[0].id)
    expect(new Set(owners.filter((_, i) => i % 2)).size).toBe(1)
    expect(new Set(owners).size).toBe(2)
  }
  expect(await principalStatements(both)).toBeLessThanOrEqual(4)
  const inTurn = async () => {
    for (let i = 0; i < 5; i++) await ada.get('/api/v1/projects')
  }
  expect(await principalStatements(inTurn)).toBe(5)
})

test('under a stream of requests, those that arrive after the session was revoked are all refused', async () => {
  const browser = await signedIn('stream@example.test')
  const token = browser.cookies.get('token')
  let revoked = false
  let answered = 0
  let stop = false
  const wrong: number[] = []
  const stream = async () => {
    while (!stop) {
      const expected = revoked ? 401 : undefined
      const { statusCode } = await browser.get('/api/user', token)
      answered++
      if (expected !== undefined && statusCode !== expected) wrong.push(statusCode)
    }
  }
  const streams = Array.from({ length: 16 }, stream)
  const more = async () => {
    const before = answered
    await expect.poll(() => answered).toBeGreaterThan(before + 2 * streams.length)
  }
  await more()
  await pool.run({
    sql: "update auth_sessions set revoked_at = now(), revoke_reason = 'signed-out' where revoked_at is null",
    values: [],
  })
  revoked = true
  await more()
  stop = true
  await Promise.all(streams)
  expect(wrong).toEqual([])
  expect((await browser.get('/api/user', token)).statusCode).toBe(401)
})

test('a request without a token, or with another scheme, gets a 401 that names the Bearer scheme', async () => {
  for (const authorization of [undefined, '', 'Basic YTpi', 'Bearer', 'Bearer ']) {
    const answer = await app.inject({
      url: '/api/user',
      headers: { ...(authorization && { authorization }) },
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(answer.headers['content-type']).toBe('application/vnd.api+json')
    expect(answer.json().errors).toHaveLength(1)
  }
  const browser = await signedIn('lower@example.test')
  const authorization = `bearer ${browser.cookies.get('token')}`
  expect((await app.inject({ url: '/api/user', headers: { authorization } })).statusCode).toBe(200)
})
