import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { startIssuer, throughIssuer } from '#test/support/oidc-issuer.ts'
import { Browser, person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const issuer = await startIssuer()
afterAll(issuer.stop)
const google = {
  googleIssuer: issuer.url,
  googleClientId: issuer.clientId,
  googleClientSecret: issuer.clientSecret,
}
const { app, lines } = await testApp(pool, { env: { rateLimitScale: 1000, ...google } })

const location = (answer: { headers: Record<string, unknown> }) => String(answer.headers.location)

/** Goes to the issuer and signs in there; returns the call that the page makes to which it sends the browser back. */
async function away(browser: Browser, email: string, answer?: 'cancel'): Promise<string> {
  const start = await browser.ask({ url: '/auth/google' })
  expect(start.statusCode).toBe(302)
  const back = await throughIssuer(location(start), email, answer)
  expect(back.origin + back.pathname).toBe('http://localhost:3000/google/callback')
  return `/auth/google/callback${back.search}`
}

async function signIn(email: string, browser = new Browser(app)) {
  const answer = await browser.get(await away(browser, email))
  return { browser, answer, body: answer.json() }
}

const accountOf = (email: string) =>
  db.selectFrom('auth_accounts').selectAll().where('email_key', '=', email).executeTakeFirst()
const identitiesOf = (email: string) =>
  db
    .selectFrom('auth_identities as i')
    .innerJoin('auth_accounts as a', 'a.id', 'i.account_id')
    .select(['i.subject', 'i.email'])
    .where('a.email_key', '=', email)
    .execute()
const eventsOf = async (email: string) =>
  (
    await db
      .selectFrom('auth_events as e')
      .innerJoin('auth_accounts as a', 'a.id', 'e.account_id')
      .select('e.kind')
      .where('a.email_key', '=', email)
      .orderBy('e.id')
      .execute()
  ).map(({ kind }) => kind)
const lettersTo = async (email: string) =>
  (await db.selectFrom('outbox_letters').select('kind').where('recipient', '=', email).execute()).map(
    ({ kind }) => kind,
  )

test('the way there carries PKCE by S256, a state and a nonce, and binds the browser', async () => {
  const answer = await app.inject('/auth/google')
  const to = new URL(location(answer))
  expect(`${to.origin}${to.pathname}`).toBe(`${issuer.url}/auth`)
  expect(Object.fromEntries(to.searchParams)).toEqual({
    client_id: issuer.clientId,
    response_type: 'code',
    redirect_uri: 'http://localhost:3000/google/callback',
    scope: 'openid email profile',
    prompt: 'select_account',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(answer.cookies).toEqual([
    {
      name: 'g_tx',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/auth',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 600,
    },
  ])
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('a new person gets a verified account with a workspace, to be completed', async () => {
  issuer.people.set('ioana@example.test', {
    sub: 'ioana',
    email: 'Ioana@example.test',
    email_verified: true,
    given_name: ' Ioana\u202e\n',
    family_name: 'Marin',
    picture: 'https://pictures.example/ioana.png',
  })
  const { browser, body, answer } = await signIn('ioana@example.test')
  expect([answer.statusCode, body]).toEqual([
    200,
    {
      access_token: browser.cookies.get('token'),
      refresh_token: 'cookie',
      linked: false,
      user: expect.objectContaining({
        email: 'Ioana@example.test',
        first_name: 'Ioana',
        last_name: 'Marin',
        google_process: 0,
        status: 1,
        language: 'en',
        email_verified_at: expect.any(String),
        current_project_id: expect.any(Number),
      }),
    },
  ])
  expect(browser.cookies.has('g_tx')).toBe(false)
  expect((await browser.get('/api/v1/projects')).json().data).toHaveLength(1)
  expect(await eventsOf('ioana@example.test')).toEqual(['registered', 'google-linked', 'signed-in'])
  expect(await lettersTo('ioana@example.test')).toEqual([])
  expect(await accountOf('ioana@example.test')).toMatchObject({ password_hash: null })
})

test('the picture and other unneeded claims of the provider are not stored', async () => {
  const stored = await pool.run({
    sql: `select coalesce(string_agg(t::text, ' '), '') as rows from auth_identities t`,
    values: [],
  })
  const clients = await pool.run({
    sql: 'select string_agg(t::text, $1) as rows from clients t',
    values: [' '],
  })
  expect(`${stored[0]?.rows} ${clients[0]?.rows}`).not.toContain('pictures.example')
})

test('the language of a new account is the one that was chosen, or asked for', async () => {
  const asked = new Browser(app, { headers: { 'accept-language': 'ro-RO,ro;q=0.9,en;q=0.8' } })
  asked.cookies.delete('lang')
  expect((await signIn('mihai@example.test', asked)).body.user).toMatchObject({ language: 'ro' })
  const chosen = new Browser(app, { headers: { 'accept-language': 'ro' } })
  expect((await signIn('radu@example.test', chosen)).body.user).toMatchObject({ language: 'en' })
})

test('a person without a name is called by their address until they enter one', async () => {
  issuer.people.set('nameless@example.test', {
    sub: 'n1',
    email: 'nameless@example.test',
    email_verified: true,
  })
  const { body } = await signIn('nameless@example.test')
  expect(body.user).toMatchObject({ first_name: 'nameless', last_name: '' })
})

test('a linked person is recognized by their Google id after their address changes', async () => {
  issuer.people.set('one@example.test', { sub: 'mover', email: 'one@example.test', email_verified: true })
  const { body: first } = await signIn('one@example.test')
  issuer.people.set('one@example.test', { sub: 'mover', email: 'two@example.test', email_verified: false })
  const { body: second } = await signIn('one@example.test')
  expect(second.user).toMatchObject({ id: first.user.id, email: 'one@example.test' })
  issuer.people.set('one@example.test', { sub: 'mover', email: 'three@example.test', email_verified: true })
  expect((await signIn('one@example.test')).body.user).toMatchObject({ id: first.user.id })
  expect(await identitiesOf('one@example.test')).toEqual([{ subject: 'mover', email: 'three@example.test' }])
})

test('an address that changed hands there does not open the account of the one before', async () => {
  issuer.people.set('shared@example.test', {
    sub: 'before',
    email: 'shared@example.test',
    email_verified: false,
  })
  await person(pool, 'shared@example.test')
  const { answer, body } = await signIn('shared@example.test')
  expect([answer.statusCode, body.errors[0].code]).toEqual([403, 'google_email_unproven'])
  expect(await identitiesOf('shared@example.test')).toEqual([])
})

test.each([false, undefined, 'true', 1])(
  'an address that the provider calls %j neither links nor opens anything',
  async (verified) => {
    const email = `unproven-${verified}@example.test`.toLowerCase()
    // A provider's claim may have any type.
    const email_verified = verified as boolean
    issuer.people.set(email, { sub: email, email, email_verified })
    const { browser, answer } = await signIn(email)
    expect([answer.statusCode, answer.cookies.filter(({ value }) => value !== '')]).toEqual([403, []])
    expect(browser.cookies.has('token')).toBe(false)
    expect(await accountOf(email)).toBeUndefined()
  },
)

test('the owner of a verified account is linked, keeps the password, and is notified', async () => {
  const ada = await person(pool, 'ada@example.test')
  const { body } = await signIn('ADA@example.test')
  expect(body.user).toMatchObject({ id: ada.id, first_name: 'Ada', google_process: 1, language: 'ro' })
  expect(await lettersTo('ada@example.test')).toContain('google-linked')
  expect(await eventsOf('ada@example.test')).toEqual(['google-linked', 'signed-in'])
  expect((await new Browser(app).signIn('ada@example.test')).statusCode).toBe(200)
  await signIn('ADA@example.test')
  expect((await lettersTo('ada@example.test')).filter((kind) => kind === 'google-linked')).toHaveLength(1)
})

test('Google with the address of a member of staff opens no client’s account, and gives no rights', async () => {
  const { email, client } = await makeMember(pool, 'admin', { totpRequired: true })
  const { browser } = await signIn(email)
  const user = (await browser.get('/api/user')).json()
  expect([user.id, user.staff.needs_second_factor]).toEqual([client, true])
  expect((await browser.get('/api/v1/desk-clients')).statusCode).toBe(403)
  expect(await accountOf(email)).toMatchObject({ kind: 'staff' })
  const { rows } = await sql`select from clients where email = ${email}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a squatter on an address loses the account to its proven owner', async () => {
  const email = 'victim@example.test'
  const { id, accountId } = await person(pool, email, { verified: false })
  await db
    .updateTable('clients')
    .set({ first_name: 'Mallory', two_fa_enabled: 1 })
    .where('id', '=', id)
    .execute()
  const squatter = new Browser(app)
  await squatter.signIn(email)
  const token = squatter.cookies.get('token')
  const at = new Date().toISOString()
  await db
    .insertInto('auth_totp')
    .values({ account_id: accountId, secret_sealed: Buffer.from('x'), enabled_at: at })
    .execute()
  await db
    .insertInto('auth_recovery_codes')
    .values({ account_id: accountId, code_hash: Buffer.from('r') })
    .execute()
  await db
    .insertInto('auth_passkeys')
    .values({
      account_id: accountId,
      credential_id: 'c',
      name: 'Mine',
      public_key: Buffer.from('k'),
      counter: 0,
      transports: [],
      synced: false,
      created_at: at,
    })
    .execute()
  const waiting = (await squatter.login(email)).json()
  issuer.people.set(email, {
    sub: 'owner',
    email,
    email_verified: true,
    given_name: 'Vera',
    family_name: 'Ion',
  })
  const { body, browser } = await signIn(email)
  expect(body.user).toMatchObject({ id, first_name: 'Vera', last_name: 'Ion', google_process: 0 })
  expect(body.user).toMatchObject({ two_fa_enabled: 0, email_verified_at: expect.any(String) })
  for (const table of ['auth_totp', 'auth_recovery_codes', 'auth_passkeys', 'auth_one_time'] as const)
    expect(await db.selectFrom(table).where('account_id', '=', accountId).execute(), table).toEqual([])
  expect((await squatter.get('/api/user', token)).statusCode).toBe(401)
  expect((await squatter.refresh()).statusCode).toBe(401)
  expect((await squatter.login(email)).statusCode).toBe(401)
  expect((await squatter.get(`/auth/callback?code=${waiting.code ?? waiting.challenge}`)).statusCode).toBe(
    401,
  )
  expect((await browser.get('/api/v1/projects')).statusCode).toBe(200)
  expect(await eventsOf(email)).toContain('account-taken-over')
})

test('a tab that waits for a confirmation is not signed in when the owner comes with Google', async () => {
  const email = 'awaited@example.test'
  const waiting = new Browser(app)
  const payload = {
    first_name: 'Mallory',
    last_name: 'X',
    email,
    password: 'squatting is my hobby',
    terms: true,
  }
  expect((await waiting.ask({ method: 'POST', url: '/auth/register', payload })).statusCode).toBe(200)
  const ask = () => waiting.ask({ method: 'POST', url: '/auth/registration', payload: {} })
  expect((await ask()).json()).toEqual({ verified: false })
  const { body } = await signIn(email)
  expect(body.user).toMatchObject({ first_name: 'Awaited', status: 1 })
  expect((await ask()).json()).toEqual({ verified: false })
  expect((await waiting.login(email, payload.password)).statusCode).toBe(401)
})

test.each(['blocked', 'disabled'])('an account that is %s is not signed in to, nor linked', async (how) => {
  const email = `${how}@example.test`
  const { id, accountId } = await person(pool, email)
  if (how === 'blocked') await db.updateTable('clients').set({ status: 0 }).where('id', '=', id).execute()
  else
    await db
      .updateTable('auth_accounts')
      .set({ disabled_at: new Date().toISOString() })
      .where('id', '=', accountId)
      .execute()
  const { answer } = await signIn(email)
  const forged = await new Browser(app).get('/auth/google/callback?code=x&state=y')
  const said = ({ errors }: { errors: unknown }) => errors
  expect([answer.statusCode, said(answer.json())]).toEqual([401, said(forged.json())])
  expect(await identitiesOf(email)).toEqual([])
  expect(await lettersTo(email)).toEqual([])
})

test('the second step is asked for after Google too', async () => {
  const email = 'twofold@example.test'
  const { accountId } = await person(pool, email)
  await signIn(email)
  await db
    .insertInto('auth_totp')
    .values({ account_id: accountId, secret_sealed: Buffer.from('x'), enabled_at: new Date().toISOString() })
    .execute()
  const { browser, answer, body } = await signIn(email)
  expect(answer.statusCode).toBe(403)
  expect(body.errors).toMatchObject([
    { code: 'two_factor_required', meta: { challenge: expect.stringMatching(/^[\w-]{43}$/) } },
  ])
  expect([browser.cookies.has('token'), browser.cookies.has('login_tx')]).toEqual([false, true])
  const next = { challenge: body.errors[0].meta.challenge, code: '000000' }
  const elsewhere = await new Browser(app).ask({
    method: 'POST',
    url: '/auth/login/two-factor',
    payload: next,
  })
  expect(elsewhere.statusCode).toBe(401)
})

test('eight that sign in for the first time at one moment have one account', async () => {
  const email = 'parallel@example.test'
  const all = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const browser = new Browser(app)
      return { browser, url: await away(browser, email) }
    }),
  )
  const answers = await Promise.all(all.map(({ browser, url }) => browser.get(url)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  expect(new Set(answers.map((answer) => answer.json().user.id)).size).toBe(1)
  expect(await identitiesOf(email)).toHaveLength(1)
})

test('a program gets both tokens and no cookies', async () => {
  const program = new Browser(app)
  const url = await away(program, 'program@example.test')
  const answer = await program.ask({ url, headers: { 'x-portico-client': 'api' } })
  expect(answer.json()).toMatchObject({ refresh_token: expect.stringMatching(/^[\w-]{43}$/) })
  expect(answer.cookies.filter(({ value }) => value !== '')).toEqual([])
})

test('signing in once more in a browser that is signed in confirms its session, and opens no other', async () => {
  const { browser, body } = await signIn('again@example.test')
  const sessions = async () =>
    db
      .selectFrom('auth_sessions as s')
      .innerJoin('clients as c', 'c.auth_id', 's.account_id')
      .select('s.authenticated_at')
      .where('c.id', '=', body.user.id)
      .execute()
  await db
    .updateTable('auth_sessions')
    .set({ authenticated_at: '2026-01-01T00:00:00Z' })
    .where('account_id', 'in', (eb) =>
      eb
        .selectFrom('clients')
        .select('auth_id')
        .$narrowType<{ auth_id: string }>()
        .where('id', '=', body.user.id),
    )
    .execute()
  const { answer } = await signIn('again@example.test', browser)
  expect(answer.json()).toMatchObject({
    access_token: body.access_token,
    refresh_token: 'cookie',
    linked: false,
  })
  const [only, ...others] = await sessions()
  expect(others).toEqual([])
  expect(Date.parse(only?.authenticated_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test("signing in with Google replaces another person's session", async () => {
  const { browser, body } = await signIn('left@example.test')
  const { answer } = await signIn('right@example.test', browser)
  expect(answer.json().user.id).not.toBe(body.user.id)
  expect((await browser.get('/api/user')).json()).toMatchObject({ email: 'right@example.test' })
})

test('without a client of Google it is not offered, and the start says why in one line', async () => {
  const none = await testApp(pool, { env: { rateLimitScale: 1000 } })
  expect((await none.app.inject('/auth/config')).json()).toMatchObject({ google: false })
  for (const url of ['/auth/google', '/auth/google/callback?code=x&state=y'])
    expect((await none.app.inject(url)).statusCode).toBe(404)
  const said = none.lines.filter(({ msg }) => String(msg).includes('GOOGLE_CLIENT_ID'))
  expect(said).toHaveLength(1)
  expect((await app.inject('/auth/config')).json()).toMatchObject({ google: true })
  expect(lines.filter(({ msg }) => String(msg).includes('GOOGLE_CLIENT_ID'))).toEqual([])
  const half = await testApp(pool, { env: { ...google, googleClientSecret: undefined } })
  expect((await half.app.inject('/auth/config')).json()).toMatchObject({ google: false })
})
