import { expect, test } from 'vitest'
import { letterLimits } from '#identity/config.ts'
import { inOne } from '#identity/identity-context.ts'
import { keyRing } from '#identity/sessions/signing-keys.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter, testVault } from '#test/support/mail.ts'
import {
  type Browser,
  browsersOn,
  password,
  person,
  securityEvents,
  stoppedClock,
} from '#test/support/people.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { enrol } from '#test/support/totp.ts'
import { allow } from './throttle.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const env = { rateLimitScale: 100_000 }
const { app } = await testApp(pool, { clock, env })
const replica = await testApp(pool, { clock, env })

const fresh = 'eleven owls over the river'
let count = 0
const otherBrowser = browsersOn(app)

/** A signed-in person at a time of their own. */
async function signedIn(more = {}) {
  clock.forward(61_000)
  const somebody = await person(pool, `somebody-${++count}@example.test`, more)
  const browser = otherBrowser()
  await browser.signIn(somebody.email)
  return { ...somebody, browser }
}

const post = (url: string, payload: object, browser = otherBrowser()) =>
  browser.ask({ method: 'POST', url, payload })

const forgot = (email: string) => post('/auth/password/forgot', { email })

/** The secret of the newest link of a letter of this kind. */
async function secretOf(email: string) {
  const { link } = await newestLetter(pool, email, 'password-reset')
  return link.slice(link.indexOf('#') + 1)
}

const reset = (token: string, secret = fresh, browser = otherBrowser()) =>
  post('/auth/password/reset', { token, password: secret }, browser)

const check = (token: string) => post('/auth/password/check', { token })

const change = (browser: Browser, payload: object) => browser.send('POST', '/api/user/password', payload)

const eventsOf = async (accountId: string) =>
  (await securityEvents(pool, accountId)).map(({ kind }) => kind).filter((kind) => kind !== 'signed-in')

const codesOf = (answer: { json: () => { errors: { code: string }[] } }) =>
  answer.json().errors.map(({ code }) => code)

test('a reset link sets another password, which ends every session on every replica at once', async () => {
  const { email, accountId, browser } = await signedIn()
  const other = otherBrowser({}, replica.app)
  await other.signIn(email)
  expect((await forgot(` ${email.toUpperCase()}`)).json()).toEqual({ status: true })
  const token = await secretOf(email)
  expect((await check(token)).json()).toEqual({ status: true, email })
  const chosen = await reset(token)
  expect([chosen.statusCode, chosen.json()]).toEqual([200, { status: true }])
  for (const one of [browser, other]) {
    expect((await one.get('/api/user')).statusCode).toBe(401)
    expect((await one.refresh()).statusCode).toBe(401)
  }
  expect((await otherBrowser().login(email)).statusCode).toBe(401)
  expect((await otherBrowser().login(email, fresh)).statusCode).toBe(200)
  expect((await lettersTo(pool, email)).map(({ kind }) => kind)).toContain('password-changed')
  expect(await eventsOf(accountId)).toEqual(['password-reset-requested', 'password-reset', 'sign-in-failed'])
})

test('a reset link works once under concurrent requests, and then is reported as used', async () => {
  const { email } = await signedIn()
  await forgot(email)
  const token = await secretOf(email)
  const passwords = Array.from({ length: 6 }, (_, i) => `${fresh} ${i}`)
  const answers = await Promise.all(passwords.map((one) => reset(token, one)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(5).fill(410)])
  const winner = passwords[answers.findIndex(({ statusCode }) => statusCode === 200)]
  expect((await otherBrowser().login(email, winner)).statusCode).toBe(200)
  expect(codesOf(await reset(token))).toEqual(['link_used'])
  expect(codesOf(await check(token))).toEqual(['link_used'])
})

test('a reset link of half an hour ago, an older one, and one of another kind are refused', async () => {
  const { email } = await signedIn()
  await forgot(email)
  const older = await secretOf(email)
  clock.forward(61_000)
  await forgot(email)
  const newer = await secretOf(email)
  expect(codesOf(await reset(older))).toEqual(['link_invalid'])
  clock.forward(30 * 60_000)
  expect(codesOf(await check(newer))).toEqual(['link_expired'])
  expect(codesOf(await reset(newer))).toEqual(['link_expired'])
  const { code } = (await otherBrowser().login(email)).json()
  expect(codesOf(await reset(code))).toEqual(['link_invalid'])
  expect((await otherBrowser().login(email)).statusCode).toBe(200)
})

test('a reset link with any one character changed is refused, and nothing changes', async () => {
  const { email } = await signedIn()
  await forgot(email)
  const token = await secretOf(email)
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    expect(codesOf(await reset(changed))).toEqual(['link_invalid'])
  }
  expect((await otherBrowser().login(email)).statusCode).toBe(200)
  expect((await reset(token)).statusCode).toBe(200)
})

test('a weak password leaves the link as good as it was', async () => {
  const { email } = await signedIn()
  await forgot(email)
  const token = await secretOf(email)
  const refused: [string, string][] = [
    ['qwertyuiop', 'common'],
    ['P@ssw0rd123', 'common'],
    ['2024-01-15', 'common'],
    ['Ada.Example1', 'personal'],
    ['example srl', 'personal'],
    ['portico-2026', 'personal'],
  ]
  for (const [weak, kind] of refused) {
    const answer = await reset(token, weak)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([
      { code: `password_${kind}`, source: { pointer: '/password' } },
    ])
  }
  expect((await reset(token)).statusCode).toBe(200)
})

test('a long password of any characters counts to its last one', async () => {
  const { email } = await signedIn()
  await forgot(email)
  const long = `${'ș𝔻 \u0007"\\'.repeat(21)}ab`
  expect([...long]).toHaveLength(128)
  expect((await reset(await secretOf(email), long)).statusCode).toBe(200)
  expect((await otherBrowser().login(email, `${long.slice(0, -1)}c`)).statusCode).toBe(401)
  expect((await otherBrowser().login(email, long)).statusCode).toBe(200)
})

test('a reset does not skip the second factor', async () => {
  const { email, browser } = await signedIn()
  await enrol(browser, clock)
  await forgot(email)
  await reset(await secretOf(email))
  expect((await otherBrowser().login(email, fresh)).json()).toEqual({
    two_factor: true,
    challenge: expect.any(String),
  })
})

test('a reset confirms an unconfirmed address and takes the account from the person who opened it', async () => {
  const { email, id, browser } = await signedIn({ verified: false })
  await forgot(email)
  await reset(await secretOf(email))
  expect((await browser.get('/api/user')).statusCode).toBe(401)
  const own = otherBrowser()
  const { code } = (await own.login(email, fresh)).json()
  const { user } = (await own.get(`/auth/callback?code=${code}`)).json()
  expect(user).toMatchObject({ id, email_verified_at: expect.any(String) })
  expect((await own.get('/api/v1/projects')).statusCode).toBe(200)
})

test('a reset ends the block that others caused, and makes its browser one of the owner', async () => {
  const { email } = await signedIn()
  await Promise.all(Array.from({ length: 20 }, () => otherBrowser().login(email, 'guess')))
  await forgot(email)
  const browser = otherBrowser()
  const answer = await reset(await secretOf(email), fresh, browser)
  expect(answer.headers['set-cookie']).toMatch(/^device=[\w-]{43}; /)
  await Promise.all(Array.from({ length: 20 }, () => otherBrowser().login(email, 'guess')))
  expect((await otherBrowser().login(email, fresh)).statusCode).toBe(429)
  expect((await browser.login(email, fresh)).statusCode).toBe(200)
})

test('an address gets one reset letter a minute and three an hour, unknown and closed ones none', async () => {
  const { email } = await signedIn()
  const closed = await person(pool, 'closed@example.test', { status: 4 })
  for (let minute = 0; minute < 5; minute++) {
    for (const one of [email, email, closed.email, 'unknown@example.test'])
      expect((await forgot(one)).json()).toEqual({ status: true })
    clock.forward(61_000)
  }
  const letters = async (to: string) =>
    (await lettersTo(pool, to)).filter(({ kind }) => kind === 'password-reset')
  expect(await letters(email)).toHaveLength(3)
  expect(await letters(closed.email)).toEqual([])
})

test('changing the password keeps this session and ends the others, with what they knew', async () => {
  const { email, accountId, browser } = await signedIn()
  const other = otherBrowser({}, replica.app)
  await other.signIn(email)
  await forgot(email)
  const link = await secretOf(email)
  const answer = await change(browser, { current_password: password, password: fresh })
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
  expect((await browser.get('/api/user')).statusCode).toBe(200)
  expect((await browser.refresh()).statusCode).toBe(200)
  expect((await other.get('/api/user')).statusCode).toBe(401)
  expect(codesOf(await reset(link))).toEqual(['link_invalid'])
  expect((await otherBrowser().login(email, fresh)).statusCode).toBe(200)
  expect((await newestLetter(pool, email, 'password-changed')).name).toBe('Ada')
  expect(await eventsOf(accountId)).toEqual(['password-reset-requested', 'password-changed'])
  // The other browser is not known any more, so the tries of strangers count there too.
  await Promise.all(Array.from({ length: 20 }, () => otherBrowser().login(email, 'guess')))
  expect((await other.login(email, fresh)).statusCode).toBe(429)
  expect((await browser.login(email, fresh)).statusCode).toBe(200)
})

test('changing the password needs the current one, which cannot be guessed', async () => {
  const { email, browser } = await signedIn()
  const missing = await change(browser, { password: fresh })
  expect([missing.statusCode, missing.json().errors[0].source]).toEqual([
    422,
    { pointer: '/current_password' },
  ])
  const tries = Array.from({ length: 40 }, (_, i) =>
    change(browser, { current_password: `guess ${i}`, password: fresh }),
  )
  const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode).sort()
  expect(statuses).toEqual([...Array(10).fill(422), ...Array(30).fill(429)])
  const blocked = await change(browser, { current_password: password, password: fresh })
  expect([blocked.statusCode, blocked.headers['retry-after']]).toEqual([429, '60'])
  expect((await otherBrowser().login(email)).statusCode).toBe(200)
})

test('changing the password needs a recent sign-in, which one may do again without losing the session', async () => {
  const { email, browser } = await signedIn()
  clock.forward(9 * 60_000)
  await browser.refresh()
  clock.forward(60_000)
  const asked = { current_password: password, password: fresh }
  expect(codesOf(await change(browser, asked))).toEqual(['recent_sign_in_required'])
  expect((await browser.get('/api/user/security')).json().recent_until).toBe(clock.now().toISOString())

  const { code } = (await browser.login(email)).json()
  const stranger = otherBrowser()
  stranger.cookies.set('token', browser.cookies.get('token') ?? '')
  expect(codesOf(await stranger.send('POST', '/auth/confirm', { code }))).toEqual(['confirmation_invalid'])
  const session = browser.cookies.get('token')
  expect((await browser.send('POST', '/auth/confirm', { code })).json()).toEqual({ status: true })
  expect(codesOf(await browser.send('POST', '/auth/confirm', { code }))).toEqual(['confirmation_invalid'])
  expect(browser.cookies.get('token')).toBe(session)
  expect((await change(browser, asked)).statusCode).toBe(200)
})

test("the sign-in of another account does not count as one's own", async () => {
  const { browser } = await signedIn()
  const other = await person(pool, 'another@example.test')
  clock.forward(9 * 60_000)
  await browser.refresh()
  clock.forward(60_000)
  const { code } = (await browser.login(other.email)).json()
  expect(codesOf(await browser.send('POST', '/auth/confirm', { code }))).toEqual(['confirmation_invalid'])
  expect(codesOf(await change(browser, { password: fresh }))).toEqual(['recent_sign_in_required'])
})

test('an account without a password gets its first one without being asked for another', async () => {
  const { email, accountId, browser } = await signedIn()
  await pool.kysely
    .updateTable('auth_accounts')
    .set({ password_hash: null })
    .where('id', '=', accountId)
    .execute()
  expect((await browser.get('/api/user/security')).json()).toMatchObject({ has_password: false })
  expect((await change(browser, { password: fresh })).statusCode).toBe(200)
  expect(await eventsOf(accountId)).toEqual(['password-set'])
  expect((await otherBrowser().login(email, fresh)).statusCode).toBe(200)
})

test('beyond a thousand requested letters an hour none is written, and the answer stays the same', async () => {
  const { email } = await signedIn()
  const origin = { ip: '192.0.2.1', userAgent: undefined }
  const deps = { pool, clock, vault: testVault, keys: keyRing(tokenSecret) }
  await inOne(deps, origin, async (work) => {
    for (let i = 0; i < letterLimits.everywhere.tries; i++) await allow(work, letterLimits.everywhere, '')
  })
  expect((await forgot(email)).json()).toEqual({ status: true })
  expect((await lettersTo(pool, email)).filter(({ kind }) => kind === 'password-reset')).toEqual([])
  clock.forward(3_600_000)
  await forgot(email)
  expect((await newestLetter(pool, email, 'password-reset')).name).toBe('Ada')
})

test('the letter about a reset names what else opens the account, which may be a thief’s', async () => {
  const { id, email, accountId, browser } = await signedIn()
  await makeKey(pool, { client: id })
  const revoked = await makeKey(pool, { client: id })
  await pool.kysely.updateTable('api_keys').set({ revoked_at: 'now' }).where('id', '=', revoked.id).execute()
  await enrol(browser, clock)
  await pool.kysely
    .insertInto('auth_identities')
    .values({
      issuer: 'https://issuer.test',
      subject: 'thief',
      account_id: accountId,
      email: 'thief@elsewhere.test',
      created_at: clock.now().toISOString(),
    })
    .execute()
  await forgot(email)
  await reset(await secretOf(email))
  expect((await newestLetter(pool, email, 'password-changed')).remaining).toEqual({
    passkeys: 0,
    google: ['thief@elsewhere.test'],
    two_factor: true,
    api_keys: ['A program'],
  })
})
