import { expect, test } from 'vitest'
import { createAccount } from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { prune } from '#identity/prune.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import { type Browser, browsersOn, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const clock = stoppedClock(Date.now())
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

const secret = 'nine green bottles standing'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newBrowser = browsersOn(app)
const otherBrowser = (userAgent = firefox) => newBrowser({ headers: { 'user-agent': userAgent } })

const register = (email: string, browser: Browser) =>
  browser.ask({
    method: 'POST',
    url: '/auth/register',
    payload: { first_name: 'Ilie', last_name: 'Rus', email, password: secret, terms: true },
  })

const confirmation = async (email: string) => `/auth${(await newestLetter(pool, email, 'verify-email')).link}`
const waiting = (browser: Browser) => browser.ask({ method: 'POST', url: '/auth/registration', payload: {} })

async function enter(browser: Browser, email: string) {
  const { code } = (await browser.login(email, secret)).json()
  return browser.get(`/auth/callback?code=${code}`)
}

const kindsTo = async (email: string) => (await lettersTo(pool, email)).map(({ kind }) => kind)

test('every copy of the letter says who registered, where and when', async () => {
  const email = 'asked@example.test'
  const ip = '203.0.113.5'
  await register(email, newBrowser({ remoteAddress: ip, headers: { 'user-agent': firefox } }))
  const at = clock.now().toISOString()
  const expected = {
    device: { browser: 'Firefox', system: 'Windows' },
    ip,
    at,
    name: 'Ilie',
  }
  // The database leaves zeros at the end of a second's part out.
  const newest = async () => {
    const letter = Object(await newestLetter(pool, email, 'verify-email'))
    return { ...letter, at: new Date(letter.at).toISOString() }
  }
  expect(await newest()).toMatchObject(expected)
  clock.forward(61_000)
  await otherBrowser('curl/8.5.0').ask({ url: '/api/mail/resend-confirmation', query: { email } })
  expect(await lettersTo(pool, email)).toHaveLength(2)
  expect(await newest()).toMatchObject(expected)
})

test('a stranger gets no code and no session when the owner of the address confirms it', async () => {
  const email = 'clicked@example.test'
  const stranger = otherBrowser()
  await register(email, stranger)
  await enter(stranger, email)
  expect((await stranger.get('/api/user')).statusCode).toBe(200)

  const owner = otherBrowser()
  expect((await owner.get(await confirmation(email))).statusCode).toBe(200)
  expect((await stranger.get('/api/user')).statusCode).toBe(401)
  expect((await stranger.refresh()).statusCode).toBe(401)
  expect((await waiting(stranger)).json()).toEqual({ verified: true })
  expect((await waiting(stranger)).json()).toEqual({ verified: false })
  expect(await kindsTo(email)).toEqual(['verify-email'])
  // The password is the stranger's, and good; the owner learns of it at once, and shuts them out.
  expect((await enter(stranger, email)).statusCode).toBe(200)
  expect(await kindsTo(email)).toEqual(['verify-email', 'new-device'])

  await owner.ask({ method: 'POST', url: '/auth/password/forgot', payload: { email } })
  const token = (await newestLetter(pool, email, 'password-reset')).link.split('#')[1]
  const payload = { token, password: 'eleven owls over the river' }
  await owner.ask({ method: 'POST', url: '/auth/password/reset', payload })
  expect((await stranger.get('/api/user')).statusCode).toBe(401)
  expect((await stranger.login(email, secret)).statusCode).toBe(401)
})

test('the first sign-in mentions that another browser confirmed the address, and later ones do not', async () => {
  const phone = otherBrowser('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15')
  const [own, desk] = [otherBrowser(), otherBrowser()]
  await register('own@example.test', own)
  await own.get(await confirmation('own@example.test'))
  await enter(own, 'own@example.test')
  expect(await kindsTo('own@example.test')).toEqual(['verify-email'])

  await register('desk@example.test', desk)
  await phone.get(await confirmation('desk@example.test'))
  expect((await waiting(desk)).json()).toEqual({ verified: true })
  expect((await enter(desk, 'desk@example.test')).json().user).toMatchObject({ first_name: 'Ilie' })
  expect(await kindsTo('desk@example.test')).toEqual(['verify-email', 'new-device'])
})

test('a person signed in before confirming confirms in that browser and stays signed in everywhere', async () => {
  const email = 'moved@example.test'
  const [first, second] = [otherBrowser(), otherBrowser()]
  await register(email, first)
  await enter(second, email)
  expect((await second.get(await confirmation(email))).statusCode).toBe(200)
  expect((await second.get('/api/user')).json()).toMatchObject({ email_verified_at: expect.any(String) })
  expect((await waiting(first)).json()).toEqual({ verified: true, code: expect.any(String) })
})

test('a register cookie of another account confirms nothing as its own', async () => {
  const [stranger, owner] = [otherBrowser(), otherBrowser()]
  await register('first@example.test', stranger)
  await register('second@example.test', owner)
  await owner.get(await confirmation('first@example.test'))
  expect((await waiting(stranger)).json()).toEqual({ verified: true })
  expect((await waiting(owner)).json()).toEqual({ verified: false })
})

const aged = (email: string) =>
  db
    .updateTable('auth_accounts')
    .set({ created_at: clock.now().toISOString() })
    .where('email', '=', email)
    .execute()

const isThere = async (email: string) =>
  (await db.selectFrom('clients').select('id').where('email', '=', email).execute()).length === 1

test('an unconfirmed account is deleted completely after thirty days, and can be registered again', async () => {
  const day = 86_400_000
  const [lost, kept, again, resent, shares] = ['lost', 'kept', 'again', 'resent', 'shares'].map(
    (name) => `${name}@example.test`,
  ) as [string, string, string, string, string] // As many as there are names.
  for (const email of [lost, kept, again, resent, shares]) {
    await register(email, otherBrowser())
    await aged(email)
  }
  const { email: guest, id: guestId } = await person(pool, 'guest@example.test')
  const browser = otherBrowser()
  await enter(browser, lost)
  await otherBrowser().get(await confirmation(kept))
  const owner = await db
    .selectFrom('clients')
    .select('id')
    .where('email', '=', shares)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('share_permissions')
    .values({ inviting_client_id: owner.id, invited_client_id: guestId })
    .execute()
  // Left over when another person proved that the address was theirs.
  await createAccount(db, { email: 'nobody@released.invalid', passwordHash: null, verifiedAt: null })
  await aged('nobody@released.invalid')

  clock.forward(lifetimes.unconfirmed - day)
  await register(again, otherBrowser())
  await prune({ pool, clock })
  expect(await Promise.all([lost, kept, again, resent, shares].map(isThere))).toEqual(Array(5).fill(true))

  clock.forward(day - 60_000)
  await otherBrowser().ask({ url: '/api/mail/resend-confirmation', query: { email: resent } })
  clock.forward(120_000)
  await prune({ pool, clock })
  expect(await Promise.all([lost, kept, again, resent, shares, guest].map(isThere))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ])
  const left = db
    .selectFrom('auth_accounts')
    .select('id')
    .where('email', 'in', [lost, 'nobody@released.invalid'])
  expect(await left.execute()).toEqual([])
  expect((await browser.get('/api/user')).statusCode).toBe(401)
  expect((await browser.refresh()).statusCode).toBe(401)
  expect((await otherBrowser().login(lost, secret)).statusCode).toBe(401)

  await register(lost, otherBrowser())
  expect((await otherBrowser().get(await confirmation(lost))).statusCode).toBe(200)
})
