import { callback } from '@portico/contract/calls/auth.ts'
import { user } from '@portico/contract/calls/user.ts'
import { expect, test } from 'vitest'
import { demoAccounts } from '#demo/accounts.ts'
import { hashPassword } from '#identity/crypto.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, password, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 1000 } })

let count = 0
const somebody = (more = {}) => person(pool, `somebody-${++count}@example.test`, more)

const statusOf = async (clientId: number) =>
  (
    await pool.kysely
      .selectFrom('clients')
      .select('status')
      .where('id', '=', clientId)
      .executeTakeFirstOrThrow()
  ).status

test('e-mail and password lead through the callback to tokens, cookies and the person', async () => {
  const { id, accountId, email } = await somebody({ status: 2 })
  const browser = new Browser(app)
  const login = await browser.login(` ${email.toUpperCase()} `)
  expect(login.statusCode).toBe(200)
  expect(login.headers['set-cookie']).toMatch(
    /^login_tx=[\w-]{43}; Max-Age=600; Path=\/auth; HttpOnly; SameSite=Lax$/,
  )
  expect(await statusOf(id)).toBe(2)

  const answer = await browser.get(`/auth/callback?code=${login.json().code}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const body = callback.output.parse(answer.json())
  expect(body).toMatchObject({
    refreshToken: 'cookie',
    user: {
      id,
      auth_id: accountId,
      email,
      status: 1,
      language: 'ro',
      two_fa_enabled: 0,
      google_process: 1,
      current_project_id: expect.any(Number),
      email_verified_at: expect.any(String),
      clientEntity: { company_name: 'Example SRL', account_type: 1, po_number: null },
      access: { billing: [id], tickets: [id], my_workspaces: [id] },
    },
  })
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^login_tx=; Max-Age=0; Path=\/auth; .*HttpOnly; SameSite=Lax$/),
    `token=${body.token}; Max-Age=86400; Path=/; SameSite=Lax`,
    expect.stringMatching(/^refreshToken=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^device=[\w-]{43}; Max-Age=31536000; Path=\/auth; HttpOnly; SameSite=Lax$/),
  ])
  expect(await statusOf(id)).toBe(1)

  const who = await browser.get('/api/user')
  expect(who.statusCode).toBe(200)
  expect(user.parse(who.json())).toEqual(body.user)
  expect((await browser.get('/api/v1/projects')).json().data).toHaveLength(1)
})

test('under https the cookies are secure, and shared across the parent domain', async () => {
  const { email } = await somebody()
  const secure = await testApp(pool, { clock, env: { publicUrl: 'https://portal.example.com' } })
  const answer = await new Browser(secure.app).signIn(email)
  expect(answer.cookies).toEqual([
    expect.objectContaining({ name: 'login_tx', secure: true, path: '/auth' }),
    expect.objectContaining({ name: 'token', secure: true, domain: 'example.com', sameSite: 'Lax' }),
    expect.objectContaining({ name: 'refreshToken', secure: true, domain: 'example.com', httpOnly: true }),
    expect.objectContaining({ name: 'device', secure: true, path: '/auth', httpOnly: true }),
  ])
  for (const own of [0, 3]) expect(answer.cookies[own]).not.toHaveProperty('domain')
})

test('a wrong password, an unknown address and an account that may not sign in get the same answer', async () => {
  const blocked = await somebody({ status: 0 })
  const closed = await somebody({ status: 4 })
  const disabled = await somebody()
  await pool.kysely
    .updateTable('auth_accounts')
    .set({ disabled_at: clock.now().toISOString() })
    .where('id', '=', disabled.accountId)
    .execute()
  const without = await somebody()
  await pool.kysely
    .updateTable('auth_accounts')
    .set({ password_hash: null })
    .where('id', '=', without.accountId)
    .execute()
  const known = await somebody()
  const answers = await Promise.all([
    new Browser(app).login(known.email, 'wrong'),
    new Browser(app).login('nobody@example.test'),
    ...[blocked, closed, disabled, without].map(({ email }) => new Browser(app).login(email)),
  ])
  const seen = answers.map(({ statusCode, headers, body }) => {
    const { date, 'x-request-id': requestId, ...others } = headers
    const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('ratelimit')))
    return { statusCode, headers: rest, body }
  })
  expect(seen[0]).toMatchObject({ statusCode: 401, headers: { 'www-authenticate': 'Bearer' } })
  expect(seen[0]?.headers).not.toHaveProperty('set-cookie')
  for (const one of seen) expect(one).toEqual(seen[0])
})

test('an unknown address takes as long to refuse as a wrong password', async () => {
  const { email } = await somebody({ passwordHash: await hashPassword(password) })
  const spent: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let i = 0; i < 9; i++) {
    for (const [kind, address] of [
      ['known', email],
      ['unknown', `unknown-${count}@example.test`],
    ] as const) {
      const begun = process.cpuUsage()
      const browser = new Browser(app, { remoteAddress: '198.51.100.1' })
      expect((await browser.login(address, 'wrong')).statusCode).toBe(401)
      const { user, system } = process.cpuUsage(begun)
      spent[kind].push(user + system)
    }
  }
  // Time of the processor, because a busy machine makes any answer late; and the least of it, because the garbage of one is
  // collected in another. Hashing is most of it, so an answer without it would cost a small part.
  const [known, unknown] = [Math.min(...spent.known), Math.min(...spent.unknown)]
  expect(unknown).toBeGreaterThan(known * 0.6)
  expect(unknown).toBeLessThan(known / 0.6)
})

test('a code works only in the browser that requested it, and another browser does not use it up', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  const { code } = (await browser.login(email)).json()
  const other = new Browser(app)
  await other.login(email)
  expect((await other.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  expect((await new Browser(app).get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(200)
})

test('a code works once, also when it is used twice at the same moment', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  const { code } = (await browser.login(email)).json()
  const url = `/auth/callback?code=${code}`
  const cookie = `login_tx=${browser.cookies.get('login_tx')}`
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.inject({ url, headers: { cookie } })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(7)
})

test('a code with any one character changed opens nothing', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  const { code } = (await browser.login(email)).json()
  for (let at = 0; at < code.length; at++) {
    const changed = `${code.slice(0, at)}${code[at] === 'A' ? 'B' : 'A'}${code.slice(at + 1)}`
    expect((await browser.get(`/auth/callback?code=${changed}`)).statusCode).toBe(401)
  }
  const binding = browser.cookies.get('login_tx') ?? ''
  browser.cookies.set('login_tx', `${binding.slice(0, -1)}${binding.endsWith('A') ? 'B' : 'A'}`)
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  browser.cookies.set('login_tx', binding)
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(200)
})

test('a code that is a minute old, changed, or only looked at with HEAD opens nothing', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  const { code } = (await browser.login(email)).json()
  const changed = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`
  expect((await browser.get(`/auth/callback?code=${changed}`)).statusCode).toBe(401)
  expect((await browser.ask({ method: 'HEAD', url: `/auth/callback?code=${code}` })).statusCode).toBe(404)
  clock.forward(59_999)
  const late = (await browser.login(email)).json()
  clock.forward(60_000)
  expect((await browser.get(`/auth/callback?code=${late.code}`)).statusCode).toBe(401)
})

test('a code is worth nothing once the account is blocked', async () => {
  const { id, email } = await somebody()
  const browser = new Browser(app)
  const { code } = (await browser.login(email)).json()
  await pool.kysely.updateTable('clients').set({ status: 0 }).where('id', '=', id).execute()
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
})

test('signing out ends the session at once, for its access token and its refresh token', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  await browser.signIn(email)
  const { token = '', refreshToken = '' } = Object.fromEntries(browser.cookies)
  const answer = await browser.get('/api/user/logout')
  expect(answer.json()).toEqual({ status: true })
  expect([...browser.cookies.keys()]).toEqual(['lang', 'device'])
  const refused = await browser.get('/api/user', token)
  expect(refused.statusCode).toBe(401)
  expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
  expect(refused.json().errors).toMatchObject([{ status: '401', code: 'session_ended' }])
  expect((await browser.get('/api/v1/projects', token)).statusCode).toBe(401)
  expect((await browser.refresh(refreshToken)).statusCode).toBe(401)
})

test('signing out needs the bearer header, because a foreign page can cause cookies to be sent', async () => {
  const { email } = await somebody()
  const browser = new Browser(app)
  await browser.signIn(email)
  const answer = await browser.ask({ url: '/api/user/logout' })
  expect(answer.statusCode).toBe(401)
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect((await browser.get('/api/user')).statusCode).toBe(200)
})

test('a person who is blocked, or whose identity is disabled, is out at the very next request', async () => {
  for (const lock of [
    'update clients set status = 0 where id = $1',
    'update auth_accounts a set disabled_at = now() from clients c where c.auth_id = a.id and c.id = $1',
  ]) {
    const { id, email } = await somebody()
    const browser = new Browser(app)
    await browser.signIn(email)
    expect((await browser.get('/api/user')).statusCode).toBe(200)
    await pool.run({ sql: lock, values: [id] })
    expect((await browser.get('/api/user')).statusCode).toBe(401)
    expect((await browser.refresh()).statusCode).toBe(401)
  }
})

test('until the e-mail is verified a person reaches themselves, and no data', async () => {
  const { email } = await somebody({ verified: false })
  const browser = new Browser(app)
  await browser.signIn(email)
  expect((await browser.get('/api/user')).json()).toMatchObject({ email_verified_at: null })
  const answer = await browser.get('/api/v1/projects')
  expect(answer.statusCode).toBe(403)
  expect((await browser.get('/api/user/logout')).statusCode).toBe(200)
})

test('a program gets its tokens in the body, and no cookies', async () => {
  const { email } = await somebody()
  const program = new Browser(app, { headers: { 'x-portico-client': 'api' } })
  const { refreshToken } = (await program.signIn(email)).json()
  expect(refreshToken).toMatch(/^[\w-]{43}$/)
  expect([...program.cookies.keys()]).toEqual(['lang'])
  const answer = await program.ask({ method: 'POST', url: '/auth/token', payload: { refreshToken } })
  expect(answer.json().refresh_token).toMatch(/^[\w-]{43}$/)
  expect(answer.cookies).toEqual([])
  expect((await program.get('/api/user', answer.json().access_token)).statusCode).toBe(200)
})

test.each([
  [{ email: 'ada', password }, 422, '/email'],
  [{ email: 'ada@example.test' }, 422, '/password'],
  [{ email: 'ada@example.test', password: 'x'.repeat(129) }, 422, '/password'],
  [{ email: `${'a'.repeat(250)}@example.test`, password }, 422, '/email'],
  [{ email: 'ada\u0000@example.test', password }, 422, '/email'],
  [{ email: ['ada@example.test'], password }, 422, '/email'],
  [{ email: 'ada@example.test', password, admin: true }, 422, ''],
  [[], 422, ''],
])('a sign-in with %j is refused with the reason', async (payload, status, pointer) => {
  const answer = await app.inject({ method: 'POST', url: '/auth/login', payload })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  expect(answer.json().errors).toContainEqual(expect.objectContaining({ status: '422', source: { pointer } }))
})

test('a password of any characters is compared, not stumbled over', async () => {
  for (const strange of ['\u0000', '\ud800', 'ș'.repeat(128), '\u202e"\\']) {
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'x@example.test', password: strange },
    })
    expect(answer.statusCode).toBe(401)
  }
})

test('other media than JSON is refused, which keeps the forms of foreign pages out', async () => {
  const payload = JSON.stringify({ email: 'ada@example.test', password })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/login',
      headers: { 'content-type': type },
      payload,
    })
    expect(answer.statusCode).toBe(415)
  }
})

test('a callback without a code names the missing parameter and does not redirect', async () => {
  const answer = await app.inject('/auth/callback?next=https://evil.example&redirect=//evil.example')
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors).toMatchObject([{ status: '400', source: { parameter: 'code' } }])
  expect(answer.headers).not.toHaveProperty('location')
})

test("a demo tells its accounts, another installation nobody's", async () => {
  expect((await app.inject('/auth/config')).json()).toEqual({
    google: false,
    mail: false,
    country_lookup: 'https://ip2c.org/self',
    demo_accounts: null,
  })
  const demo = await testApp(pool, { env: { seed: 'demo' } })
  expect((await demo.app.inject('/auth/config')).json()).toEqual({
    google: false,
    mail: true,
    country_lookup: 'https://ip2c.org/self',
    demo_accounts: demoAccounts,
  })
})

test('a body far larger than any e-mail and password is not looked at', async () => {
  const payload = { email: `${'a.'.repeat(50_000)}@example.test`, password }
  const answer = await app.inject({ method: 'POST', url: '/auth/login', payload })
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([413, 'too_large'])
})

test('an address that is too long is refused with the reason', async () => {
  const payload = { email: `${'a'.repeat(250)}@example.test`, password }
  const answer = await app.inject({ method: 'POST', url: '/auth/login', payload })
  expect(answer.json().errors).toMatchObject([
    { detail: 'At most 254 characters', source: { pointer: '/email' } },
  ])
})
