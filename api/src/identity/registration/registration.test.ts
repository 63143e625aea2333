import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prune } from '#identity/prune.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import { type Browser, browsersOn, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

const secret = 'nine green bottles standing'
const otherBrowser = browsersOn(app)

type Applicant = Record<string, unknown>

const register = (email: string, more: Applicant = {}, browser = otherBrowser()) =>
  browser.ask({
    method: 'POST',
    url: '/auth/register',
    payload: { first_name: 'Ilie', last_name: 'Rus', email, password: secret, terms: true, ...more },
  })

/** The address of the API that the newest confirmation link of an address stands for. */
const confirmation = async (email: string) => `/auth${(await newestLetter(pool, email, 'verify-email')).link}`

const waiting = (browser: Browser) => browser.ask({ method: 'POST', url: '/auth/registration', payload: {} })

const resend = (email: string, browser = otherBrowser()) =>
  browser.ask({ url: '/api/mail/resend-confirmation', query: { email } })

const clientOf = (email: string) =>
  pool.kysely
    .selectFrom('clients as c')
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .selectAll('c')
    .select(['a.verified_at', 'a.password_hash', 'a.email as identity_email'])
    .where('c.email', '=', email)
    .executeTakeFirstOrThrow()

const rows = async () => {
  const tables = ['auth_accounts', 'clients', 'client_entities', 'account_balances', 'projects'] as const
  const counts: Record<string, unknown> = {}
  for (const table of [...tables, 'outbox_letters', 'auth_events', 'auth_one_time'] as const) {
    const counted = await pool.kysely.selectFrom(table).select(sql`count(*)`.as('count')).executeTakeFirst()
    counts[table] = counted?.count
  }
  return counts
}

test('registration creates an account, a workspace and a letter, and its tab continues once confirmed', async () => {
  const email = 'Ilie.Rus@example.test'
  const browser = otherBrowser()
  const answer = await register(email, { language: 'ro' }, browser)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
  expect(answer.headers['set-cookie']).toMatch(
    /^register_tx=[\w-]{43}; Max-Age=86400; Path=\/auth; HttpOnly; SameSite=Lax$/,
  )
  expect((await waiting(browser)).json()).toEqual({ verified: false })
  expect(await clientOf(email)).toMatchObject({ status: 2, google_process: 1, email_verified_at: null })

  // Another tab of the same browser: the tab that waits has nothing of it but the cookies.
  const verified = await browser.get(await confirmation(email))
  expect([verified.statusCode, verified.json()]).toEqual([200, { status: true, email }])

  const { code, verified: isVerified } = (await waiting(browser)).json()
  expect(isVerified).toBe(true)
  expect((await otherBrowser().get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  const entered = await browser.get(`/auth/callback?code=${code}`)
  expect(entered.json().user).toMatchObject({
    email,
    first_name: 'Ilie',
    last_name: 'Rus',
    language: 'ro',
    status: 1,
    google_process: 1,
    email_verified_at: expect.any(String),
    trial_ends_at: expect.any(String),
    current_project_id: expect.any(Number),
    clientEntity: { account_type: 2 },
  })
  // The trial begins with the confirmation, and with it the credit to try things with.
  const [held] = (await browser.get('/api/v1/account-balances')).json().data
  expect(held.attributes).toMatchObject({ account_balance: 0, credit_balance: 20 })
  const projects = (await browser.get('/api/v1/projects?include=')).json().data
  expect(projects).toMatchObject([{ attributes: { name: 'Spațiul meu' } }])
  expect((await waiting(browser)).json()).toEqual({ verified: false })
  expect((await otherBrowser().login(email, secret)).statusCode).toBe(200)
})

test('a known address is answered as a new one, and its owner gets a letter', async () => {
  const { email } = await person(pool, 'known@example.test')
  const before = await clientOf(email)
  const browser = otherBrowser()
  const known = await register(email.toUpperCase(), {}, browser)
  const fresh = await register('fresh@example.test')
  const seen = ({ statusCode, headers, body }: typeof known) => {
    const cookie = String(headers['set-cookie']).replace(/=[\w-]{43};/, '=…;')
    return { statusCode, body, names: Object.keys(headers).sort(), cookie }
  }
  expect(seen(known)).toEqual(seen(fresh))
  expect(await clientOf(email)).toEqual(before)
  expect(await lettersTo(pool, email)).toEqual([
    { kind: 'already-registered', name: 'Ada', link: '/login', reset: '/forgot-password' },
  ])
  expect((await waiting(browser)).json()).toEqual({ verified: false })
  expect((await otherBrowser().login(email, secret)).statusCode).toBe(401)
})

test('a known address gets one such letter a minute and three an hour, however often it is registered', async () => {
  const { email } = await person(pool, 'pestered@example.test')
  const closed = await person(pool, 'closed@example.test', { status: 4 })
  for (let minute = 0; minute < 6; minute++) {
    await Promise.all([register(email), register(email), register(closed.email)])
    clock.forward(61_000)
  }
  expect(await lettersTo(pool, email)).toHaveLength(3)
  expect(await lettersTo(pool, closed.email)).toEqual([])
})

test.each([
  [{ email: 'nobody' }, '/email', 'email_invalid'],
  [{ first_name: ' ' }, '/first_name', 'first_name_required'],
  [{ last_name: 'x'.repeat(81) }, '/last_name', 'characters_most'],
  [{ terms: false }, '/terms', 'terms_not_accepted'],
  [{ language: 'de' }, '/language', 'value_not_among'],
  [{ password: 'too short' }, '/password', 'characters_least'],
  [{ password: 'x'.repeat(129) }, '/password', 'characters_most'],
  [{ password: 'password123' }, '/password', 'password_common'],
  [{ password: 'IlieRus1999' }, '/password', 'password_personal'],
  [{ status: 1 }, '', 'field_unknown'],
])('reports each fault of %j at its place and writes nothing', async (more, pointer, code) => {
  const before = await rows()
  const answer = await register('careless@example.test', more)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().errors).toMatchObject([{ code, source: { pointer } }])
  expect(answer.headers).not.toHaveProperty('set-cookie')
  // Requests are only counted, in a table that is not compared here.
  expect(await rows()).toEqual(before)
})

test('a registration that fails in any part leaves nothing, and the address can be registered again', async () => {
  const before = await rows()
  for (const table of ['clients', 'projects', 'outbox_letters', 'auth_one_time']) {
    await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
      pool.kysely,
    )
    await sql`create trigger fail before insert on ${sql.table(table)} execute function fail()`.execute(
      pool.kysely,
    )
    expect((await register('unlucky@example.test')).statusCode).toBe(500)
    await sql`drop function fail cascade`.execute(pool.kysely)
    expect(await rows()).toEqual(before)
  }
  expect((await register('unlucky@example.test')).statusCode).toBe(200)
  expect((await clientOf('unlucky@example.test')).email_verified_at).toBeNull()
})

test('eight concurrent registrations of one address create one account', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => register('rush@example.test')))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  expect(await lettersTo(pool, 'rush@example.test')).toHaveLength(1)
  expect((await clientOf('rush@example.test')).verified_at).toBeNull()
})

test('a confirmation link works once, and then says that it was used', async () => {
  await register('once@example.test')
  const url = await confirmation('once@example.test')
  const answers = await Promise.all(Array.from({ length: 8 }, () => otherBrowser().get(url)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(410)])
  expect((await otherBrowser().get(url)).json().errors).toMatchObject([{ status: '410', code: 'link_used' }])
})

test('a link of yesterday has expired, and a link opened with HEAD still works', async () => {
  await register('late@example.test')
  const url = await confirmation('late@example.test')
  expect((await otherBrowser().ask({ method: 'HEAD', url })).statusCode).toBe(404)
  clock.forward(24 * 3_600_000)
  const answer = await otherBrowser().get(url)
  expect(answer.json().errors).toMatchObject([{ status: '410', code: 'link_expired' }])
  expect((await clientOf('late@example.test')).email_verified_at).toBeNull()
  await resend('late@example.test')
  expect((await otherBrowser().get(await confirmation('late@example.test'))).statusCode).toBe(200)
})

test('a confirmation link with any one character changed is refused, and nothing changes', async () => {
  const email = 'exact@example.test'
  await register(email)
  await register('neighbour@example.test')
  const { id } = await clientOf(email)
  const url = await confirmation(email)
  const hash = url.slice(url.lastIndexOf('/') + 1)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = (character: string) => alphabet[(alphabet.indexOf(character) + 1) % alphabet.length] ?? ''
  const changed = [...hash].map((character, at) => hash.slice(0, at) + other(character) + hash.slice(at + 1))
  // The last character of 256 bits in base64url has two bits that decoders ignore.
  const last = [...alphabet].filter((one) => one !== hash.at(-1)).map((one) => hash.slice(0, -1) + one)
  const urls = [
    ...[...changed, ...last, hash.slice(1), `${hash}A`, hash.toLowerCase()].map((one) => `${id}/${one}`),
    ...[id + 1, id - 1, id * 10 + 1].map((one) => `${one}/${hash}`),
  ]
  for (const one of urls) {
    const answer = await otherBrowser().get(`/auth/verify-email/${one}`)
    expect([one, answer.statusCode, answer.json().errors[0].code]).toEqual([one, 404, 'link_invalid'])
  }
  for (const one of ['0', `0${id}`, '-1', '1e3', `${id}%20`, '9'.repeat(30)])
    expect((await otherBrowser().get(`/auth/verify-email/${one}/${hash}`)).statusCode).toBe(400)
  expect(await clientOf(email)).toMatchObject({ email_verified_at: null, verified_at: null })
  expect((await otherBrowser().get(url)).statusCode).toBe(200)
})

test('resending is answered the same for every address, and a new link takes the place of the older one', async () => {
  const { email: known } = await person(pool, 'confirmed@example.test')
  const waits = 'waits@example.test'
  await register(waits)
  const first = await confirmation(waits)
  const asked = await Promise.all([waits, known, 'never-seen@example.test'].map((email) => resend(email)))
  for (const { statusCode, body } of asked)
    expect([statusCode, JSON.parse(body)]).toEqual([200, { status: true, retry_after: 60 }])
  expect(await lettersTo(pool, known)).toEqual([])
  expect(await lettersTo(pool, 'never-seen@example.test')).toEqual([])
  expect((await otherBrowser().get(first)).json().errors).toMatchObject([{ code: 'link_invalid' }])
  expect((await otherBrowser().get(await confirmation(waits))).statusCode).toBe(200)
})

test('a confirmation is sent again once a minute and three times an hour, without a word of it', async () => {
  const email = 'impatient@example.test'
  await register(email)
  for (let half = 0; half < 12; half++) {
    const answers = await Promise.all([resend(email), resend(email)])
    for (const answer of answers) expect(answer.json()).toEqual({ status: true, retry_after: 60 })
    clock.forward(30_000)
  }
  expect(await lettersTo(pool, email)).toHaveLength(1 + 3)
  clock.forward(3_600_000)
  await resend(email)
  expect(await lettersTo(pool, email)).toHaveLength(1 + 4)
})

test('one IP address can request sixty letters an hour, then gets a 429 with Retry-After', async () => {
  const browser = otherBrowser()
  const ask = (i: number) => resend(`many-${i}@example.test`, browser)
  const answers = await Promise.all(Array.from({ length: 70 }, (_, i) => ask(i)))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused).toHaveLength(10)
  for (const { headers } of refused) expect(headers['retry-after']).toBe('3600')
  expect((await register('after-all@example.test', {}, browser)).statusCode).toBe(429)
})

test('an unconfirmed address can be registered again as if it were new', async () => {
  const email = 'squatted@example.test'
  const squatter = otherBrowser()
  await register(email, { first_name: 'Squatter', password: 'squatters have their ways' }, squatter)
  await squatter.login(email, 'squatters have their ways')
  const { code } = (await squatter.login(email, 'squatters have their ways')).json()
  await squatter.get(`/auth/callback?code=${code}`)
  expect((await squatter.get('/api/user')).json()).toMatchObject({ first_name: 'Squatter' })
  const stale = await confirmation(email)
  clock.forward(61_000)

  const owner = otherBrowser()
  expect((await register(email, { language: 'ro' }, owner)).json()).toEqual({ status: true })
  expect((await squatter.get('/api/user')).statusCode).toBe(401)
  expect((await squatter.refresh()).statusCode).toBe(401)
  expect((await otherBrowser().get(stale)).statusCode).toBe(404)
  expect((await owner.get(await confirmation(email))).statusCode).toBe(200)
  expect((await waiting(squatter)).json()).toEqual({ verified: false })
  expect((await otherBrowser().login(email, 'squatters have their ways')).statusCode).toBe(401)
  const { code: own } = (await waiting(owner)).json()
  const { user } = (await owner.get(`/auth/callback?code=${own}`)).json()
  expect(user).toMatchObject({ first_name: 'Ilie', language: 'ro', email })
})

test('a stranger who registers an address after its owner gets nothing when the owner confirms it', async () => {
  const email = 'raced@example.test'
  const owner = otherBrowser()
  await register(email, {}, owner)
  clock.forward(61_000)
  const stranger = otherBrowser()
  await register(email, { password: 'a stranger waits for you' }, stranger)
  // The owner follows the link that came last, in the browser that they registered in.
  expect((await owner.get(await confirmation(email))).statusCode).toBe(200)
  expect((await waiting(stranger)).json()).toEqual({ verified: false })
  for (const password of [secret, 'a stranger waits for you'])
    expect((await otherBrowser().login(email, password)).statusCode).toBe(401)
  const { verified_at, password_hash } = await clientOf(email)
  expect([verified_at !== null, password_hash]).toEqual([true, null])
  // Only the owner's letter says how to continue.
  expect((await newestLetter(pool, email, 'password-reset')).link).toMatch(/^\/reset-password#[\w-]{43}$/)
})

test('a stranger who waits for days, and asks for a new letter, gets nothing either', async () => {
  const email = 'outwaited@example.test'
  await register(email)
  clock.forward(25 * 3_600_000)
  await prune({ pool, clock })
  const stranger = otherBrowser()
  await register(email, { password: 'a stranger waits for you' }, stranger)
  clock.forward(30 * 3_600_000)
  await prune({ pool, clock })
  await resend(email)
  expect((await otherBrowser().get(await confirmation(email))).statusCode).toBe(200)
  expect((await waiting(stranger)).json()).toEqual({ verified: false })
  expect((await clientOf(email)).password_hash).toBeNull()
})

test('registering twice in one browser counts as one person, wherever the link is opened', async () => {
  const email = 'forgetful@example.test'
  const browser = otherBrowser()
  await register(email, { password: 'what was it that I typed' }, browser)
  clock.forward(61_000)
  await register(email, {}, browser)
  await otherBrowser().get(await confirmation(email))
  expect((await waiting(browser)).json()).toEqual({ verified: true })
  expect((await otherBrowser().login(email, secret)).statusCode).toBe(200)
})

test('registering again at once in one browser corrects the details, and the first letter stays valid', async () => {
  const email = 'quick@example.test'
  const browser = otherBrowser()
  await register(email, { password: 'what was it that I typed' }, browser)
  await register(email, { first_name: 'Ilinca' }, browser)
  // The same from another browser changes nothing: there is no letter by which the owner could learn of it.
  await register(email, { password: 'a stranger waits for you', first_name: 'Stranger' })
  expect(await lettersTo(pool, email)).toHaveLength(1)
  await browser.get(await confirmation(email))
  const { code } = (await waiting(browser)).json()
  expect((await browser.get(`/auth/callback?code=${code}`)).json().user).toMatchObject({
    first_name: 'Ilinca',
  })
  expect((await otherBrowser().login(email, secret)).statusCode).toBe(200)
})

test('an unconfirmed person reaches only their own account, and can correct a mistyped address', async () => {
  const email = 'mistpyed@example.test'
  const browser = otherBrowser()
  await register(email, {}, browser)
  const { code } = (await browser.login(email, secret)).json()
  await browser.get(`/auth/callback?code=${code}`)
  for (const url of [
    '/api/v1/projects',
    '/api/user/security',
    '/api/user/sessions',
    '/api/user/security-log',
  ])
    expect([url, (await browser.get(url)).statusCode]).toEqual([url, 403])
  expect((await browser.get('/api/user')).statusCode).toBe(200)

  const change = (to: string) =>
    browser.ask({
      method: 'POST',
      url: '/api/user/email',
      payload: { email: to },
      headers: { authorization: `Bearer ${browser.cookies.get('token')}` },
    })
  clock.forward(9 * 60_000)
  await browser.refresh()
  clock.forward(9 * 60_000)
  const { email: taken } = await person(pool, 'taken@example.test')
  const answers = [await change(taken), await change('mistyped@example.test')]
  for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([200, '{"status":true}'])
  expect(await lettersTo(pool, taken)).toMatchObject([{ kind: 'already-registered' }])
  expect((await browser.get('/api/user')).json()).toMatchObject({ email })
  clock.forward(61_000)
  await resend('mistyped@example.test')
  expect(await lettersTo(pool, 'mistyped@example.test')).toHaveLength(2)
  const verified = await browser.get(await confirmation('mistyped@example.test'))
  expect(verified.json()).toEqual({ status: true, email: 'mistyped@example.test' })
  expect((await otherBrowser().login('mistyped@example.test', secret)).statusCode).toBe(200)
  expect((await otherBrowser().login(email, secret)).statusCode).toBe(401)
  await browser.refresh()
  expect((await browser.get('/api/user')).json()).toMatchObject({ email: 'mistyped@example.test' })
})
