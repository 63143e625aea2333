import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { signInCode } from '#identity/sign-in/sign-in.ts'
import { testApp } from '#test/support/app.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

// The second factor of staff is two-factor authentication or a passkey.

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })
let addresses = 0

const newBrowser = () => new Browser(app, { remoteAddress: `203.0.113.${++addresses}` })

async function signedIn(email: string) {
  const browser = newBrowser()
  await browser.signIn(email)
  return browser
}

/** Support without a second factor. */
async function member() {
  const { email, client } = await makeMember(pool, 'support', { totpRequired: true })
  return { email, client, browser: await signedIn(email), authenticator: new Authenticator() }
}

const ask = (browser: Browser, url: string, payload: object = {}) =>
  browser.ask({ method: 'POST', url, payload })

async function add(browser: Browser, authenticator: Authenticator) {
  const asked = (await browser.send('POST', '/api/user/passkeys/options', {})).json()
  return browser.send('POST', '/api/user/passkeys', {
    name: 'Key',
    response: authenticator.create(asked.options),
  })
}

async function enterBy(authenticator: Authenticator, browser = newBrowser()) {
  const { options } = (await ask(browser, '/auth/passkey/options')).json()
  const { code } = (
    await ask(browser, '/auth/passkey/verify', { response: authenticator.get(options) })
  ).json()
  expect((await browser.get(`/auth/callback?code=${code}`)).statusCode).toBe(200)
  return browser
}

/** Whether the session works as staff, as the browser is told and as the desk answers. */
async function works(browser: Browser): Promise<boolean> {
  const { staff } = (await browser.get('/api/user')).json()
  const { statusCode } = await browser.get('/api/v1/tickets')
  expect(statusCode).toBe(staff.needs_second_factor ? 403 : 200)
  return !staff.needs_second_factor
}

const codesOf = (answer: { json: () => { errors?: { code: string }[] } }) =>
  (answer.json().errors ?? []).map(({ code }) => code)

test('a first passkey gives staff their rights in its session, and ends the others', async () => {
  const { email, browser, authenticator } = await member()
  const other = await signedIn(email)
  const begun = newBrowser()
  const { code } = (await ask(begun, '/auth/login', { email, password: 'correct horse battery' })).json()
  expect(await works(browser)).toBe(false)
  expect((await add(browser, authenticator)).statusCode).toBe(200)
  expect(await works(browser)).toBe(true)
  expect((await other.get('/api/user')).statusCode).toBe(401)
  expect((await begun.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
})

test('with a passkey the password alone opens nothing, and the passkey everything', async () => {
  const { email, browser, authenticator } = await member()
  await add(browser, authenticator)
  const login = (password: string) => ask(newBrowser(), '/auth/login', { email, password })
  expect(codesOf(await login('Wrong-horse-7'))).toEqual(['credentials_wrong'])
  const refused = await login('correct horse battery')
  expect([refused.statusCode, codesOf(refused)]).toEqual([401, ['passkey_required']])
  const { rows: failed } = await sql`select from auth_events e join auth_accounts a on a.id = e.account_id
    where a.email = ${email} and e.kind = 'sign-in-failed'`.execute(pool.kysely)
  expect(failed).toHaveLength(2)
  expect(await works(await enterBy(authenticator))).toBe(true)
})

test('whoever has the password alone adds no second factor to an account that has a passkey', async () => {
  // A client who had a passkey becomes staff while a session of the password is open.
  const { email, accountId } = await person(pool, 'later-staff@example.test')
  const browser = await signedIn(email)
  const authenticator = new Authenticator()
  await add(browser, authenticator)
  const thief = await signedIn(email)
  await sql`insert into admins (email, display_name, role, auth_id, totp_required)
    values (${email}, 'Later', 'support', ${accountId}, true)`.execute(pool.kysely)
  expect(await works(thief)).toBe(false)
  expect(codesOf(await add(thief, new Authenticator()))).toEqual(['staff_second_factor_required'])
  await thief.send('POST', '/api/user/two-factor/setup')
  const enabled = await thief.send('POST', '/api/user/two-factor/enable', { code: '000000' })
  expect(codesOf(enabled)).toEqual(['staff_second_factor_required'])
  const owner = await enterBy(authenticator)
  expect(await works(owner)).toBe(true)
  expect((await add(owner, new Authenticator())).statusCode).toBe(200)
})

test('without their last passkey staff have no rights, and add another', async () => {
  const { email, browser, authenticator } = await member()
  const { id } = (await add(browser, authenticator)).json()
  expect((await browser.send('DELETE', `/api/user/passkeys/${id}`)).statusCode).toBe(200)
  expect(await works(browser)).toBe(false)
  const again = await signedIn(email)
  expect(await works(again)).toBe(false)
  expect((await add(again, new Authenticator())).statusCode).toBe(200)
  expect(await works(again)).toBe(true)
})

test('a client with a passkey signs in with the password as before', async () => {
  const { email } = await person(pool, 'with-both@example.test')
  await add(await signedIn(email), new Authenticator())
  expect((await (await signedIn(email)).get('/api/user')).statusCode).toBe(200)
})

test('whoever has the password alone removes no passkey, to make the next one the first', async () => {
  const { email, accountId } = await person(pool, 'later-staff-too@example.test')
  const { id } = (await add(await signedIn(email), new Authenticator())).json()
  const thief = await signedIn(email)
  await sql`insert into admins (email, display_name, role, auth_id, totp_required)
    values (${email}, 'Later', 'support', ${accountId}, true)`.execute(pool.kysely)
  expect(codesOf(await thief.send('DELETE', `/api/user/passkeys/${id}`))).toEqual([
    'staff_second_factor_required',
  ])
  expect(codesOf(await add(thief, new Authenticator()))).toEqual(['staff_second_factor_required'])
  expect(await works(thief)).toBe(false)
})

test.each(['passkey', 'two-factor'])(
  'a code of the password that was given out while %s was added opens nothing',
  async (added) => {
    const { email, browser, authenticator } = await member()
    const accountId = (
      await pool.kysely
        .selectFrom('auth_accounts')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).id
    const begun = newBrowser()
    await ask(begun, '/auth/login', { email, password: 'correct horse battery' })
    const binding = begun.cookies.get('login_tx') ?? ''
    if (added === 'passkey') await add(browser, authenticator)
    else
      await sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${accountId}, '\\x00', now())`.execute(
        pool.kysely,
      )
    // As the sign-in that had found no second factor stores it, after those of the account were withdrawn.
    const code = await signInCode(pool.kysely, { accountId, amr: ['pwd'], binding, now: clock.now() })
    expect((await begun.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  },
)
