import { expect, test } from 'vitest'
import { newToken } from '#identity/crypto.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const tokenSecret = 'the secret of these tests is long enough'
const next = 'the next secret is long enough as well'
const processWith = (secrets: string) =>
  testApp(pool, { clock, env: { tokenSecret: secrets, rateLimitScale: 1000 } })
const { app } = await processWith(`${tokenSecret},${next}`)
// Another process that shares the database, on the way to another secret: both know both, and sign with different ones.
const { app: replica } = await processWith(`${next},${tokenSecret}`)

let count = 0

/** Signs in as a browser and returns its tokens. */
async function signedIn() {
  const { email } = await person(pool, `somebody-${++count}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(email)
  const refreshToken = browser.cookies.get('refreshToken') ?? ''
  return { browser, refreshToken, token: browser.cookies.get('token') ?? '' }
}

const present = (to: typeof app, token: string) => new Browser(to).refresh(token)

const alive = async (token: string) => (await new Browser(replica).get('/api/user', token)).statusCode === 200

test('each refresh brings new tokens; by the cookie they stay in cookies', async () => {
  const { browser, refreshToken, token } = await signedIn()
  const answer = await browser.refresh()
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const now = Object.fromEntries(browser.cookies)
  expect(answer.json()).toEqual({ access_token: now.token, refresh_token: 'cookie' })
  expect(now.token).not.toBe(token)
  expect(now.refreshToken).not.toBe(refreshToken)
  expect(await alive(now.token ?? '')).toBe(true)
  // The same call without the parameter, and by POST.
  expect((await browser.ask({ url: '/auth/token' })).json().refresh_token).toBe('cookie')
  expect((await browser.ask({ method: 'POST', url: '/auth/token' })).json().refresh_token).toBe('cookie')
  expect(new Set([refreshToken, now.refreshToken, browser.cookies.get('refreshToken')]).size).toBe(3)
})

test('a client that sends the token itself gets its successor in the body, by GET as by POST', async () => {
  const { refreshToken } = await signedIn()
  const first = (await present(app, refreshToken)).json().refresh_token
  const answer = await app.inject({ method: 'POST', url: '/auth/token', payload: { refreshToken: first } })
  expect(answer.json().refresh_token).toMatch(/^[\w-]{43}$/)
  expect(new Set([refreshToken, first, answer.json().refresh_token]).size).toBe(3)
})

test('a token from the cookie is never returned in a body, even on request', async () => {
  const { browser } = await signedIn()
  const answer = await browser.ask({
    url: '/auth/token?refreshToken=cookie',
    headers: { 'x-portico-client': 'api' },
  })
  expect(answer.json().refresh_token).toBe('cookie')
})

test('eight tabs at the same moment, on two processes, all succeed with one successor', async () => {
  const { refreshToken } = await signedIn()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => present(i % 2 ? replica : app, refreshToken)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  const successors = new Set(answers.map((answer) => answer.json().refresh_token))
  expect(successors.size).toBe(1)
  for (const answer of answers) expect(await alive(answer.json().access_token)).toBe(true)
  const [successor = ''] = successors
  expect((await present(app, successor)).statusCode).toBe(200)
})

test('within ten seconds a lost answer can be asked for again', async () => {
  const { refreshToken } = await signedIn()
  const first = (await present(app, refreshToken)).json().refresh_token
  clock.forward(10_000)
  expect((await present(replica, refreshToken)).json().refresh_token).toBe(first)
})

test('reusing an old token ends the session and its access tokens, for thief and owner', async () => {
  const { refreshToken, token } = await signedIn()
  const successor = (await present(app, refreshToken)).json()
  clock.forward(10_001)
  expect(await alive(token)).toBe(true)
  expect((await present(app, refreshToken)).statusCode).toBe(401)
  expect(await alive(token)).toBe(false)
  expect(await alive(successor.access_token)).toBe(false)
  expect((await present(app, successor.refresh_token)).statusCode).toBe(401)
  const rows = await pool.kysely
    .selectFrom('auth_sessions')
    .select('revoke_reason')
    .where('revoked_at', 'is not', null)
    .execute()
  expect(rows).toEqual([{ revoke_reason: 'refresh-reuse' }])
})

test('within the grace too, once the successor was used', async () => {
  const { refreshToken } = await signedIn()
  const successor = (await present(app, refreshToken)).json()
  const last = (await present(app, successor.refresh_token)).json()
  expect((await present(app, refreshToken)).statusCode).toBe(401)
  expect(await alive(last.access_token)).toBe(false)
})

test('a forged token of the right shape revokes nothing and signs out no session', async () => {
  const { browser, refreshToken, token } = await signedIn()
  const changed = `${refreshToken.slice(0, -1)}${refreshToken.endsWith('A') ? 'B' : 'A'}`
  for (const forged of [newToken(), changed, 'x', 'null', 'Cookie', '%27or%20true--', 'a'.repeat(200)]) {
    const answer = await browser.refresh(forged)
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    // The browser that a link with such a token was given to keeps its cookies.
    expect(answer.cookies).toEqual([])
  }
  expect(await alive(token)).toBe(true)
  expect((await browser.refresh()).statusCode).toBe(200)
})

test('a dead token in the cookie is refused and the cookies are cleared', async () => {
  const { browser } = await signedIn()
  browser.cookies.set('refreshToken', newToken())
  expect((await browser.refresh()).statusCode).toBe(401)
  expect([...browser.cookies.keys()]).toEqual(['lang', 'device'])
  expect((await browser.refresh()).statusCode).toBe(401)
})

const day = 86_400_000

test('a session that is not refreshed for a day ends', async () => {
  const kept = await signedIn()
  const idle = await signedIn()
  clock.forward(day - 1)
  await kept.browser.refresh()
  clock.forward(1)
  expect((await idle.browser.refresh()).statusCode).toBe(401)
  expect((await kept.browser.refresh()).statusCode).toBe(200)
})

test('a session ends after thirty days, however busy it is', async () => {
  const { browser } = await signedIn()
  for (let halfDays = 0; halfDays < 59; halfDays++) {
    clock.forward(day / 2)
    expect((await browser.refresh()).statusCode).toBe(200)
  }
  clock.forward(day / 2 - 1)
  expect((await browser.refresh()).statusCode).toBe(200)
  expect((await browser.get('/api/user')).statusCode).toBe(200)
  clock.forward(1)
  expect((await browser.get('/api/user')).statusCode).toBe(401)
  expect((await browser.refresh()).statusCode).toBe(401)
})

const hour = day / 24

test('a session of staff ends after two hours without a refresh, and after twelve in all', async () => {
  const member = async () => {
    const { email } = await makeMember(pool, 'support')
    const browser = new Browser(app)
    await browser.signIn(email)
    return browser
  }
  const [busy, idle] = [await member(), await member()]
  clock.forward(2 * hour - 1)
  expect((await busy.refresh()).statusCode).toBe(200)
  clock.forward(1)
  expect((await idle.refresh()).statusCode).toBe(401)
  for (let hours = 3; hours < 12; hours++) {
    clock.forward(hour)
    expect((await busy.refresh()).statusCode).toBe(200)
  }
  clock.forward(hour - 1)
  expect((await busy.refresh()).statusCode).toBe(200)
  expect((await busy.get('/api/user')).statusCode).toBe(200)
  clock.forward(1)
  expect((await busy.refresh()).statusCode).toBe(401)
})

test('a session from before its holder became staff has the time of staff from the next refresh on', async () => {
  const { browser } = await signedIn()
  clock.forward(11 * hour)
  await pool.kysely
    .insertInto('admins')
    .values({
      email: 'late@staff.example',
      display_name: 'Late',
      role: 'support',
      auth_id: pool.kysely
        .selectFrom('auth_accounts')
        .select('id')
        .where('email', '=', `somebody-${count}@example.test`),
    })
    .execute()
  expect((await browser.refresh()).statusCode).toBe(200)
  clock.forward(hour)
  expect((await browser.refresh()).statusCode).toBe(401)
})

test('the last use of a session is written at most once a minute', async () => {
  const { browser } = await signedIn()
  const touched: string[] = []
  const stop = pool.observe((sql) => {
    if (sql.startsWith('update auth_sessions set last_seen_at')) touched.push(sql)
  })
  for (let i = 0; i < 12; i++) {
    clock.forward(10_000)
    await browser.get('/api/user')
  }
  stop()
  expect(touched.length).toBeGreaterThan(0)
  expect(touched.length).toBeLessThanOrEqual(3)
})
