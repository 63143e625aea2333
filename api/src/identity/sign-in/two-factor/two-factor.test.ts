import { expect, test } from 'vitest'
import { limits } from '#identity/config.ts'
import { makeVault } from '#platform/vault.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, securityEvents, stoppedClock } from '#test/support/people.ts'
import { enrol, totp } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const tokenSecret = 'a token secret that only tests have'
const { app } = await testApp(pool, { clock, env: { tokenSecret, rateLimitScale: 100_000 } })

const step = 30_000
let count = 0

/** A signed-in person at the start of a 30-second step. */
async function signedIn() {
  clock.forward(10 * step)
  const { id, accountId, email } = await person(pool, `somebody-${++count}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(email)
  return { id, accountId, email, browser }
}

/** A signed-in person with two-factor authentication whose current codes are all unused. */
async function withTwoFactor() {
  const somebody = await signedIn()
  const app = await enrol(somebody.browser, clock)
  clock.forward(10 * step)
  return { ...somebody, ...app }
}

/** Takes the first step of a sign-in in another browser. */
async function firstStep(email: string) {
  const browser = new Browser(app)
  const answer = (await browser.login(email)).json()
  return { browser, challenge: String(answer.challenge), answer }
}

const secondStep = (browser: Browser, challenge: string, code: string) =>
  browser.ask({ method: 'POST', url: '/auth/login/two-factor', payload: { challenge, code } })

/** The status of both steps with a code: 200 when it was accepted. */
async function trySignIn(email: string, code: string): Promise<number> {
  const { browser, challenge } = await firstStep(email)
  return (await secondStep(browser, challenge, code)).statusCode
}

const twoFactor = (browser: Browser, verb: string, payload: object = {}) =>
  browser.send('POST', `/api/user/two-factor/${verb}`, payload)

const eventsOf = async (accountId: string) =>
  (await securityEvents(pool, accountId))
    .map(({ kind }) => kind)
    .filter((kind) => !['signed-in', 'signed-out'].includes(kind))

async function lettersTo(email: string) {
  const rows = await pool.kysely
    .selectFrom('outbox_letters')
    .select('sealed')
    .where('recipient', '=', email)
    .where('kind', '<>', 'new-device')
    .orderBy('id')
    .execute()
  const vault = makeVault(tokenSecret)
  return rows.map(({ sealed }) => JSON.parse(sealed ? vault.unseal(sealed) : 'null'))
}

test('the setup returns the secret once, and changes nothing until a code proves that an app has it', async () => {
  const { browser, email } = await signedIn()
  const answer = await twoFactor(browser, 'setup')
  expect(answer.statusCode).toBe(200)
  const { secret, otpauth_url } = answer.json()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(otpauth_url).toBe(
    `otpauth://totp/Portico:${encodeURIComponent(email)}?secret=${secret}&issuer=Portico`,
  )
  expect((await firstStep(email)).answer).toHaveProperty('code')
  expect((await browser.get('/api/user')).json().two_fa_enabled).toBe(0)
  const wrong = await twoFactor(browser, 'enable', { code: totp(secret, clock, 2) })
  expect([wrong.statusCode, wrong.json().errors[0]]).toMatchObject([
    422,
    { code: 'code_invalid', source: { pointer: '/code' } },
  ])
  expect((await firstStep(email)).answer).toHaveProperty('code')
})

test('enabling it gives ten recovery codes, keeps this session, and ends those that one factor opened', async () => {
  const { browser, email, accountId } = await signedIn()
  const other = new Browser(app)
  await other.signIn(email)
  const late = await firstStep(email)
  const { secret } = (await twoFactor(browser, 'setup')).json()
  const code = totp(secret, clock)
  const answer = await twoFactor(browser, 'enable', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect(answer.statusCode).toBe(200)
  const { recovery_codes } = answer.json()
  expect(new Set(recovery_codes).size).toBe(10)
  // Sixteen characters of thirty-two: eighty bits.
  for (const one of recovery_codes) expect(one).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  expect((await browser.get('/api/user')).json()).toMatchObject({ two_fa_enabled: 1 })
  expect((await browser.refresh()).statusCode).toBe(200)
  expect((await other.get('/api/user')).statusCode).toBe(401)
  expect((await other.refresh()).statusCode).toBe(401)
  expect((await late.browser.get(`/auth/callback?code=${late.answer.code}`)).statusCode).toBe(401)
  expect(await eventsOf(accountId)).toEqual(['two-factor-enabled'])
  expect(await lettersTo(email)).toMatchObject([{ kind: 'two-factor-enabled', name: 'Ada' }])
})

test('the secret that is in use cannot be replaced, only turned off', async () => {
  const { browser, email, secret } = await withTwoFactor()
  expect((await twoFactor(browser, 'setup')).statusCode).toBe(409)
  expect((await twoFactor(browser, 'enable', { code: totp(secret, clock) })).statusCode).toBe(409)
  expect(await trySignIn(email, totp(secret, clock))).toBe(200)
})

test('without a setup there is nothing to enable, disable or renew', async () => {
  const { browser } = await signedIn()
  for (const verb of ['enable', 'disable', 'recovery-codes'])
    expect((await twoFactor(browser, verb, { code: '123456' })).statusCode).toBe(409)
})

test('signing in takes the second step, and ends in a session like any other', async () => {
  const { email, secret, id } = await withTwoFactor()
  const { browser, challenge, answer } = await firstStep(email)
  expect(answer).toEqual({ two_factor: true, challenge: expect.stringMatching(/^[\w-]{43}$/) })
  const second = await secondStep(browser, challenge, totp(secret, clock))
  expect(second.json()).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/) })
  expect((await browser.get(`/auth/callback?code=${challenge}`)).statusCode).toBe(401)
  const callback = await browser.get(`/auth/callback?code=${second.json().code}`)
  expect(callback.json().user).toMatchObject({ id, two_fa_enabled: 1 })
  const { amr } = await pool.kysely
    .selectFrom('auth_sessions')
    .select('amr')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  expect(amr).toEqual(['pwd', 'otp'])
})

test.each([-2, -1, 0, 1, 2])(
  'a code of %i half minutes from now is accepted if it is a neighbour',
  async (away) => {
    const { email, secret } = await withTwoFactor()
    expect(await trySignIn(email, totp(secret, clock, away))).toBe(Math.abs(away) <= 1 ? 200 : 422)
  },
)

test('a code works once, for signing in, turning off and enrolling again', async () => {
  const { email, browser, secret } = await signedIn().then(async (somebody) => ({
    ...somebody,
    ...(await enrol(somebody.browser, clock)),
  }))
  // The code that enabled it.
  expect(await trySignIn(email, totp(secret, clock))).toBe(422)
  clock.forward(step)
  expect(await trySignIn(email, totp(secret, clock))).toBe(200)
  expect(await trySignIn(email, totp(secret, clock))).toBe(422)
  // Earlier unused codes are invalid as well.
  expect(await trySignIn(email, totp(secret, clock, -1))).toBe(422)
  expect((await twoFactor(browser, 'disable', { code: totp(secret, clock) })).statusCode).toBe(422)
  expect((await twoFactor(browser, 'disable', { code: totp(secret, clock, 1) })).statusCode).toBe(200)
  const next = (await twoFactor(browser, 'setup')).json().secret
  expect((await twoFactor(browser, 'enable', { code: totp(next, clock, 1) })).statusCode).toBe(422)
  clock.forward(step)
  expect((await twoFactor(browser, 'enable', { code: totp(next, clock, 1) })).statusCode).toBe(200)
})

test('of twenty sign-ins with one code at the same moment, one succeeds', async () => {
  const { email, secret } = await withTwoFactor()
  const begun = await Promise.all(Array.from({ length: 20 }, () => firstStep(email)))
  const code = totp(secret, clock)
  const answers = await Promise.all(
    begun.map(({ browser, challenge }) => secondStep(browser, challenge, code)),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('a recovery code signs in once, however it is typed, and the owner learns how many are left', async () => {
  const { email, recoveryCodes, accountId } = await withTwoFactor()
  const [first = '', second = ''] = recoveryCodes
  expect(await trySignIn(email, first)).toBe(200)
  expect(await trySignIn(email, first)).toBe(422)
  const typed = ` ${second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
  expect(await trySignIn(email, typed)).toBe(200)
  expect((await lettersTo(email)).slice(1)).toMatchObject([
    { kind: 'recovery-code-used', left: 9 },
    { kind: 'recovery-code-used', left: 8 },
  ])
  expect((await eventsOf(accountId)).slice(1)).toEqual([
    'recovery-code-used',
    'two-factor-failed',
    'recovery-code-used',
  ])
})

test('of twenty sign-ins with one recovery code at the same moment, one succeeds', async () => {
  const { email, recoveryCodes } = await withTwoFactor()
  const begun = await Promise.all(Array.from({ length: 20 }, () => firstStep(email)))
  const answers = await Promise.all(
    begun.map(({ browser, challenge }) => secondStep(browser, challenge, recoveryCodes[3] ?? '')),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test("another person's recovery code is none", async () => {
  const ada = await withTwoFactor()
  const bob = await withTwoFactor()
  expect(await trySignIn(ada.email, bob.recoveryCodes[0] ?? '')).toBe(422)
  expect(await trySignIn(bob.email, bob.recoveryCodes[0] ?? '')).toBe(200)
})

test('new recovery codes take the place of the old ones, and need a code', async () => {
  const { browser, email, secret, recoveryCodes, accountId } = await withTwoFactor()
  expect((await twoFactor(browser, 'recovery-codes', { code: '0' })).statusCode).toBe(422)
  const answer = await twoFactor(browser, 'recovery-codes', { code: totp(secret, clock) })
  const renewed: string[] = answer.json().recovery_codes
  expect(new Set([...renewed, ...recoveryCodes]).size).toBe(20)
  expect(await trySignIn(email, recoveryCodes[0] ?? '')).toBe(422)
  expect(await trySignIn(email, renewed[0] ?? '')).toBe(200)
  expect(await eventsOf(accountId)).toContain('recovery-codes-renewed')
  expect((await lettersTo(email)).map(({ kind }) => kind)).toContain('recovery-codes-renewed')
})

test.each(['app', 'recovery code'])(
  'a code of the %s turns it off, and with it everything of it',
  async (by) => {
    const { browser, email, accountId, secret, recoveryCodes } = await withTwoFactor()
    expect((await twoFactor(browser, 'disable', { code: '12345' })).statusCode).toBe(422)
    const code = by === 'app' ? totp(secret, clock) : (recoveryCodes[0] ?? '')
    const answer = await twoFactor(browser, 'disable', { code })
    expect(answer.json()).toEqual({ two_fa_enabled: 0 })
    expect((await firstStep(email)).answer).toHaveProperty('code')
    expect((await browser.get('/api/user')).json().two_fa_enabled).toBe(0)
    const left = await pool.run({
      sql: `select (select count(*) from auth_recovery_codes where account_id = $1) as codes,
      (select secret_sealed is null from auth_totp where account_id = $1) as forgotten`,
      values: [accountId],
    })
    expect(left).toEqual([{ codes: 0, forgotten: true }])
    expect((await lettersTo(email)).at(-1)).toMatchObject({ kind: 'two-factor-disabled' })
    expect((await eventsOf(accountId)).at(-1)).toBe('two-factor-disabled')
  },
)

test('a challenge works once, in its browser, for five minutes, and unaltered', async () => {
  const { email, secret } = await withTwoFactor()
  const { browser, challenge } = await firstStep(email)
  const other = await firstStep(email)
  const code = totp(secret, clock)
  const changed = `${challenge.slice(0, -1)}${challenge.endsWith('A') ? 'B' : 'A'}`
  expect((await secondStep(new Browser(app), challenge, code)).statusCode).toBe(401)
  expect((await secondStep(other.browser, challenge, code)).statusCode).toBe(401)
  expect((await secondStep(browser, changed, code)).statusCode).toBe(401)
  expect((await secondStep(browser, challenge, code)).statusCode).toBe(200)
  clock.forward(step)
  expect((await secondStep(browser, challenge, totp(secret, clock))).statusCode).toBe(401)
  clock.forward(300_000 - step - 1)
  expect((await secondStep(other.browser, other.challenge, totp(secret, clock))).statusCode).toBe(200)
  const late = await firstStep(email)
  clock.forward(300_000)
  const refused = await secondStep(late.browser, late.challenge, totp(secret, clock))
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([401, 'sign_in_expired'])
})

test('a sign-in code is no challenge, and a challenge no sign-in code', async () => {
  const { email, secret } = await withTwoFactor()
  const { browser, challenge } = await firstStep(email)
  const { code } = (await secondStep(browser, challenge, totp(secret, clock))).json()
  clock.forward(step)
  expect((await secondStep(browser, code, totp(secret, clock))).statusCode).toBe(401)
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(200)
})

test('a person who is blocked between the two steps gets no session', async () => {
  const { email, secret, id } = await withTwoFactor()
  const { browser, challenge } = await firstStep(email)
  await pool.kysely.updateTable('clients').set({ status: 0 }).where('id', '=', id).execute()
  const second = await secondStep(browser, challenge, totp(secret, clock))
  expect((await browser.get(`/auth/callback?code=${second.json().code}`)).statusCode).toBe(401)
})

test.each(['setup', 'enable', 'disable', 'recovery-codes'])(
  '%s needs a sign-in of the last ten minutes, which both steps renew',
  async (verb) => {
    const { browser, email, secret } = await withTwoFactor()
    clock.forward(600_000)
    await browser.refresh()
    const payload = verb === 'setup' ? {} : { code: totp(secret, clock) }
    const refused = await twoFactor(browser, verb, payload)
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
    const { challenge } = (await browser.login(email)).json()
    const { code } = (await secondStep(browser, challenge, totp(secret, clock))).json()
    expect((await browser.send('POST', '/auth/confirm', { code })).statusCode).toBe(200)
    clock.forward(step)
    const again = await twoFactor(browser, verb, verb === 'setup' ? {} : { code: totp(secret, clock) })
    expect(again.statusCode).toBe(['setup', 'enable'].includes(verb) ? 409 : 200)
    expect((await new Browser(app).send('POST', `/api/user/two-factor/${verb}`, payload)).statusCode).toBe(
      401,
    )
  },
)

test('a second factor cannot be set up before the e-mail is verified', async () => {
  const { email } = await person(pool, 'unverified@example.test', { verified: false })
  const browser = new Browser(app)
  await browser.signIn(email)
  expect((await twoFactor(browser, 'setup')).json().errors[0].code).toBe('email_not_confirmed')
})

test('mistakes while setting it up close the setup for a while, and not signing in', async () => {
  const { browser, email } = await signedIn()
  const { secret } = (await twoFactor(browser, 'setup')).json()
  for (let i = 0; i < limits.secondFactor.tries; i++)
    expect((await twoFactor(browser, 'enable', { code: '000' })).statusCode).toBe(422)
  expect((await twoFactor(browser, 'enable', { code: totp(secret, clock) })).statusCode).toBe(429)
  expect((await firstStep(email)).answer).toHaveProperty('code')
  expect(await lettersTo(email)).toEqual([])
  clock.forward(limits.secondFactor.block)
  expect((await twoFactor(browser, 'enable', { code: totp(secret, clock) })).statusCode).toBe(200)
})
