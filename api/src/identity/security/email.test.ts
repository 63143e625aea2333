import { expect, test } from 'vitest'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import {
  type Browser,
  browsersOn,
  password,
  person,
  securityEvents,
  stoppedClock,
} from '#test/support/people.ts'
import { share } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { enrol } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

const hour = 3_600_000
let count = 0
const otherBrowser = browsersOn(app)

/** A signed-in person at a time of their own, and an unused address. */
async function signedIn() {
  clock.forward(61_000)
  const somebody = await person(pool, `somebody-${++count}@example.test`)
  const browser = otherBrowser()
  await browser.signIn(somebody.email)
  return { ...somebody, browser, wanted: `wanted-${count}@example.test` }
}

const ask = (browser: Browser, email: string) => browser.send('POST', '/api/user/email', { email })
const post = (url: string, token: string) => otherBrowser().ask({ method: 'POST', url, payload: { token } })
const confirm = (token: string) => post('/auth/email/confirm', token)
const undo = (token: string) => post('/auth/email/undo', token)

async function secretOf(email: string, kind: 'email-change-confirm' | 'email-changed'): Promise<string> {
  const { link } = await newestLetter(pool, email, kind)
  const [, secret = ''] = /^\/email-change#(?:confirm|undo)=([\w-]{43})$/.exec(link) ?? []
  return secret
}

/** Has the address changed, and returns the secret that undoes it. */
async function changed(browser: Browser, from: string, to: string): Promise<string> {
  await ask(browser, to)
  expect((await confirm(await secretOf(to, 'email-change-confirm'))).statusCode).toBe(200)
  return secretOf(from, 'email-changed')
}

const addressesOf = (id: number) =>
  pool.kysely
    .selectFrom('clients as c')
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select(['c.email', 'a.email as identity', 'a.email_key as key'])
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()

const eventsOf = async (accountId: string) =>
  (await securityEvents(pool, accountId))
    .filter(({ kind }) => kind.startsWith('email'))
    .map(({ kind, about }) => `${kind} ${about}`)

const codeOf = (answer: { json: () => { errors: { code: string }[] } }) => answer.json().errors[0]?.code

test('a new address applies everywhere once its link is followed', async () => {
  const { id, accountId, email, browser, wanted } = await signedIn()
  const answer = await ask(browser, ` ${wanted.replace('w', 'W')}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
  const spelled = wanted.replace('w', 'W')
  expect((await browser.get('/api/user/security')).json()).toMatchObject({ email, pending_email: spelled })
  expect(await addressesOf(id)).toMatchObject({ email, identity: email })

  const confirmed = await confirm(await secretOf(spelled, 'email-change-confirm'))
  expect([confirmed.statusCode, confirmed.json()]).toEqual([200, { status: true, email: spelled }])
  expect(await addressesOf(id)).toEqual({ email: spelled, identity: spelled, key: wanted })
  expect((await browser.get('/api/user')).json()).toMatchObject({ email: spelled })
  expect((await browser.get('/api/user/security')).json()).toMatchObject({
    email: spelled,
    pending_email: null,
  })
  expect((await otherBrowser().login(email)).statusCode).toBe(401)
  expect((await otherBrowser().login(wanted)).statusCode).toBe(200)
  expect(await newestLetter(pool, email, 'email-changed')).toMatchObject({ name: 'Ada', email: spelled })
  expect(await eventsOf(accountId)).toEqual([`email-change-requested ${spelled}`, `email-changed ${spelled}`])
})

test('the link works once, for a day, and a newer request takes its place', async () => {
  const { browser, wanted, id, email } = await signedIn()
  await ask(browser, `first-${wanted}`)
  const first = await secretOf(`first-${wanted}`, 'email-change-confirm')
  await ask(browser, wanted)
  const second = await secretOf(wanted, 'email-change-confirm')
  expect(codeOf(await confirm(first))).toBe('link_invalid')
  for (let at = 0; at < second.length; at++) {
    const other = `${second.slice(0, at)}${second[at] === 'A' ? 'B' : 'A'}${second.slice(at + 1)}`
    expect([codeOf(await confirm(other)), codeOf(await undo(other))]).toEqual([
      'link_invalid',
      'link_invalid',
    ])
  }
  expect(codeOf(await undo(second))).toBe('link_invalid')
  expect((await addressesOf(id)).email).toBe(email)
  expect((await confirm(second)).statusCode).toBe(200)
  expect(codeOf(await confirm(second))).toBe('link_used')

  const late = await signedIn()
  await ask(late.browser, late.wanted)
  clock.forward(24 * hour)
  expect(codeOf(await confirm(await secretOf(late.wanted, 'email-change-confirm')))).toBe('link_expired')
})

test('a taken address is answered like any other; only its owner is notified', async () => {
  const { email, browser } = await signedIn()
  const other = await person(pool, 'other@example.test')
  const answer = await ask(browser, other.email)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
  expect((await browser.get('/api/user/security')).json()).toMatchObject({
    email,
    pending_email: other.email,
  })
  expect((await lettersTo(pool, other.email)).map(({ kind }) => kind)).toEqual(['already-registered'])
})

test('undoing a change does not take an address from an account that has it meanwhile', async () => {
  const { email, id, browser, wanted } = await signedIn()
  await ask(browser, wanted)
  const owner = await person(pool, wanted)
  expect(codeOf(await confirm(await secretOf(wanted, 'email-change-confirm')))).toBe('email_taken')
  expect(await addressesOf(id)).toMatchObject({ email, identity: email })
  expect(await addressesOf(owner.id)).toMatchObject({ email: wanted, identity: wanted })
})

test('an unconfirmed registration gives way to the proven owner of the address', async () => {
  const { id, browser, wanted } = await signedIn()
  const squatter = await person(pool, wanted, { verified: false })
  const there = otherBrowser()
  await there.signIn(wanted)
  await ask(browser, wanted)
  expect((await confirm(await secretOf(wanted, 'email-change-confirm'))).statusCode).toBe(200)
  expect((await addressesOf(id)).email).toBe(wanted)
  expect((await there.get('/api/user')).statusCode).toBe(401)
  expect((await addressesOf(squatter.id)).email).toBe(`${squatter.accountId}@released.invalid`)
  expect((await otherBrowser().login(wanted)).statusCode).toBe(200)
})

test("the former address can be restored within 72 hours, which ends the attacker's sessions", async () => {
  const { id, accountId, email, browser, wanted } = await signedIn()
  const secret = await changed(browser, email, wanted)
  clock.forward(72 * hour - 1)
  const thief = otherBrowser()
  await thief.signIn(wanted)
  await enrol(thief, clock)
  await pool.kysely
    .insertInto('auth_identities')
    .values({
      issuer: 'https://issuer.test',
      subject: wanted,
      account_id: accountId,
      email: wanted,
      created_at: clock.now().toISOString(),
    })
    .execute()
  await ask(thief, `again-${wanted}`)
  const pending = await secretOf(`again-${wanted}`, 'email-change-confirm')

  const answer = await undo(secret)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true, email }])
  expect(await addressesOf(id)).toEqual({ email, identity: email, key: email })
  expect((await thief.get('/api/user')).statusCode).toBe(401)
  expect((await thief.refresh()).statusCode).toBe(401)
  expect(codeOf(await confirm(pending))).toBe('link_invalid')
  for (const address of [email, wanted]) expect((await otherBrowser().login(address)).statusCode).toBe(401)
  expect(await eventsOf(accountId)).toContain(`email-change-undone ${email}`)

  const { link } = await newestLetter(pool, email, 'password-reset')
  const payload = { token: link.slice(link.indexOf('#') + 1), password: 'eleven owls over the river' }
  await otherBrowser().ask({ method: 'POST', url: '/auth/password/reset', payload })
  // The second factor and the Google account were added after the change, by the attacker.
  const own = otherBrowser()
  const { code } = (await own.login(email, payload.password)).json()
  const { user } = (await own.get(`/auth/callback?code=${code}`)).json()
  expect(user).toMatchObject({ id, two_fa_enabled: 0 })
  expect((await own.get('/api/user/identities')).json()).toEqual({ identities: [] })
  expect(codeOf(await undo(secret))).toBe('link_used')
})

test('undoing a change removes additions from up to a day before it', async () => {
  const { id, accountId, email, browser, wanted } = await signedIn()
  await enrol(browser, clock)
  const added = { account_id: accountId, created_at: clock.now().toISOString() }
  await pool.kysely
    .insertInto('auth_identities')
    .values({ ...added, issuer: 'https://issuer.test', subject: wanted, email: wanted })
    .execute()
  await pool.kysely
    .insertInto('auth_passkeys')
    .values({
      ...added,
      credential_id: wanted,
      name: 'Laptop',
      public_key: Buffer.from('key'),
      counter: 0,
      transports: [],
      synced: false,
    })
    .execute()
  clock.forward(5 * 60_000)
  const secret = await changed(browser, email, wanted)
  clock.forward(48 * hour)
  await undo(secret)
  const { link } = await newestLetter(pool, email, 'password-reset')
  const payload = { token: link.slice(link.indexOf('#') + 1), password: 'eleven owls over the river' }
  await otherBrowser().ask({ method: 'POST', url: '/auth/password/reset', payload })
  expect((await newestLetter(pool, email, 'password-changed')).remaining).toEqual({
    passkeys: 0,
    google: [],
    two_factor: false,
    api_keys: [],
  })
  const own = otherBrowser()
  const { code } = (await own.login(email, payload.password)).json()
  const { user } = (await own.get(`/auth/callback?code=${code}`)).json()
  expect(user).toMatchObject({ id, two_fa_enabled: 0 })
})

test.each([
  [1, false],
  [48, true],
])(
  'undoing a change leaves staff whose second factor is %i hours old their rights: %s',
  async (hours, keeps) => {
    clock.forward(61_000)
    await makeMember(pool, 'admin')
    const { email } = await makeMember(pool, 'support', { totpRequired: true })
    const browser = otherBrowser()
    await browser.signIn(email)
    await enrol(browser, clock)
    await pool.kysely
      .updateTable('auth_totp')
      .set({ enabled_at: new Date(clock.now().getTime() - hours * hour).toISOString() })
      .where('account_id', '=', ({ selectFrom }) =>
        selectFrom('auth_accounts').select('id').where('email', '=', email),
      )
      .execute()
    const chosen = 'eleven owls over the river'
    await undo(await changed(browser, email, `other-${hours}-${email}`))
    // Whoever reads the former address chooses a password, and would add a second factor.
    const { link } = await newestLetter(pool, email, 'password-reset')
    const payload = { token: link.slice(link.indexOf('#') + 1), password: chosen }
    await otherBrowser().ask({ method: 'POST', url: '/auth/password/reset', payload })
    const reader = otherBrowser()
    const { code, two_factor: asked } = (await reader.login(email, chosen)).json()
    expect(asked ?? false).toBe(keeps)
    if (!keeps) {
      await reader.get(`/auth/callback?code=${code}`)
      expect((await reader.get('/api/user')).statusCode).toBe(401)
    }
    const { disabled_at } = await pool.kysely
      .selectFrom('admins')
      .select('disabled_at')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(disabled_at === null).toBe(keeps)
  },
)

test('undoing a change keeps additions that are older than a day', async () => {
  const { email, browser, wanted } = await signedIn()
  const { recoveryCodes } = await enrol(browser, clock)
  clock.forward(23 * hour)
  await browser.refresh()
  clock.forward(hour + 1)
  const { challenge } = (await browser.login(email)).json()
  const second = { challenge, code: recoveryCodes[0] }
  const { code } = (
    await browser.ask({ method: 'POST', url: '/auth/login/two-factor', payload: second })
  ).json()
  await browser.get(`/auth/callback?code=${code}`)
  const secret = await changed(browser, email, wanted)
  await undo(secret)
  const { link } = await newestLetter(pool, email, 'password-reset')
  const payload = { token: link.slice(link.indexOf('#') + 1), password: 'eleven owls over the river' }
  await otherBrowser().ask({ method: 'POST', url: '/auth/password/reset', payload })
  expect((await otherBrowser().login(email, payload.password)).json()).toMatchObject({ two_factor: true })
})

test('a key that a thief made opens nothing any more, and an older one of the owner stays', async () => {
  const { id, email, browser, wanted } = await signedIn()
  const made = async (at: Date) => {
    const key = await makeKey(pool, { client: id })
    const created_at = at.toISOString()
    await pool.kysely.updateTable('api_keys').set({ created_at }).where('id', '=', key.id).execute()
    return async () => {
      const headers = { authorization: `Bearer ${key.secret}` }
      return (await app.inject({ url: '/api/v1/panels', headers })).statusCode
    }
  }
  const owners = await made(new Date(clock.now().getTime() - 25 * hour))
  const thiefs = await made(clock.now())
  expect([await owners(), await thiefs()]).toEqual([200, 200])
  await undo(await changed(browser, email, wanted))
  expect([await owners(), await thiefs()]).toEqual([200, 401])
})

test('undoing a change closes shares since then, and keeps earlier guests', async () => {
  const { id, email, browser, wanted } = await signedIn()
  const opened = async (at: Date) => {
    const guest = await person(pool, `guest-${++count}@example.test`)
    const { permission } = await share(pool, { id }, guest)
    const created_at = at.toISOString()
    await pool.kysely
      .updateTable('share_permissions')
      .set({ created_at })
      .where('id', '=', permission)
      .execute()
    const theirs = otherBrowser()
    await theirs.signIn(guest.email)
    return async () => {
      const list = await theirs.get(`/api/v1/projects?filter[client_id]=${id}`)
      return list.json().meta.page.total
    }
  }
  const before = await opened(new Date(clock.now().getTime() - 25 * hour))
  const since = await opened(clock.now())
  expect([await before(), await since()]).toEqual([1, 1])
  await undo(await changed(browser, email, wanted))
  expect([await before(), await since()]).toEqual([1, 0])
})

test('after 72 hours the change stays', async () => {
  const { id, browser, email, wanted } = await signedIn()
  const secret = await changed(browser, email, wanted)
  clock.forward(72 * hour)
  expect(codeOf(await undo(secret))).toBe('link_expired')
  expect((await addressesOf(id)).email).toBe(wanted)
})

test('the first of two changes can be undone after the second, which a thief cannot reverse', async () => {
  const { id, browser, email, wanted } = await signedIn()
  const owners = await changed(browser, email, wanted)
  clock.forward(61_000)
  const thiefs = await changed(browser, wanted, `second-${wanted}`)
  expect((await undo(thiefs)).json()).toMatchObject({ email: wanted })
  expect((await undo(owners)).json()).toMatchObject({ email })

  const again = await signedIn()
  const first = await changed(again.browser, again.email, again.wanted)
  clock.forward(61_000)
  const later = await changed(again.browser, again.wanted, `second-${again.wanted}`)
  expect((await undo(first)).json()).toMatchObject({ email: again.email })
  expect(codeOf(await undo(later))).toBe('link_invalid')
  expect((await addressesOf(id)).email).toBe(email)
  expect((await addressesOf(again.id)).email).toBe(again.email)
})

test('a reset link that waits in the former mailbox opens nothing any more', async () => {
  const { browser, email, wanted } = await signedIn()
  await otherBrowser().ask({ method: 'POST', url: '/auth/password/forgot', payload: { email } })
  const { link } = await newestLetter(pool, email, 'password-reset')
  await changed(browser, email, wanted)
  const payload = { token: link.slice(link.indexOf('#') + 1), password: 'eleven owls over the river' }
  const answer = await otherBrowser().ask({ method: 'POST', url: '/auth/password/reset', payload })
  expect(codeOf(answer)).toBe('link_invalid')
  expect((await otherBrowser().login(wanted)).statusCode).toBe(200)
})

test('changing the address needs a recent sign-in, and only this call changes it', async () => {
  const { id, browser, email, wanted } = await signedIn()
  clock.forward(9 * 60_000)
  await browser.refresh()
  clock.forward(60_000)
  const answer = await ask(browser, wanted)
  expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'recent_sign_in_required'])
  expect((await otherBrowser().send('POST', '/api/user/email', { email: wanted })).statusCode).toBe(401)
  const attributes = { email: wanted, auth_id: null, two_fa_enabled: 1 }
  const patched = await browser.ask({
    method: 'PATCH',
    url: `/api/v1/clients/${id}`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': 'application/vnd.api+json',
    },
    payload: JSON.stringify({ data: { type: 'clients', id: String(id), attributes } }),
  })
  expect(patched.statusCode).toBe(403)
  expect(patched.json().errors).toMatchObject([{ source: { pointer: '/data/attributes/email' } }])
  expect(await addressesOf(id)).toMatchObject({ email, identity: email })
})

test('changing to the same address is refused, and the limit is ten changes an hour', async () => {
  const { browser, email, wanted } = await signedIn()
  const own = await ask(browser, email.toUpperCase())
  expect([own.statusCode, own.json().errors[0].source]).toEqual([422, { pointer: '/email' }])
  for (let i = 0; i < 9; i++) expect((await ask(browser, `${i}-${wanted}`)).statusCode).toBe(200)
  const refused = await ask(browser, wanted)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
})

test('the password is what it was after a change of address', async () => {
  const { browser, email, wanted } = await signedIn()
  await changed(browser, email, wanted)
  expect((await otherBrowser().login(wanted, password)).statusCode).toBe(200)
  expect((await browser.get('/api/user')).statusCode).toBe(200)
})
