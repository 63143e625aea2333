import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '#identity/config.ts'
import { systemClock } from '#platform/clock.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { type Browser, browsersOn, person, stoppedClock } from '#test/support/people.ts'
import { enrol } from '#test/support/totp.ts'
import { makeSetupLink, replaceSetupLinks } from './setup-links.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
const db = pool.kysely
const newBrowser = browsersOn(app)
const publicUrl = 'https://portal.example.test'
const password = 'seven green bicycles'
const hour = 3_600_000

// Each test begins with a portal that nobody has set up.
beforeEach(async () => {
  await sql`delete from settings where key = 'set_up_at'`.execute(db)
  await sql`delete from setup_links`.execute(db)
  await db.transaction().execute(async (tx) => {
    // The last administrator is kept by a trigger.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update admins set disabled_at = now()`.execute(tx)
  })
})

async function link(now = new Date()): Promise<string> {
  const made = await makeSetupLink({ db, now, publicUrl })
  if (made === undefined) throw new Error('The portal is set up.')
  return made.replace(`${publicUrl}/setup#`, '')
}

const applicant = (email: string) => ({ name: 'Ana', email, password })
const send = (browser: Browser, path: string, payload: object) =>
  browser.ask({ method: 'POST', url: `/auth/first-admin${path}`, payload })
const check = (token: string, browser = newBrowser()) => send(browser, '/check', { token })
const create = (token: string, email: string, browser = newBrowser(), more: object = {}) =>
  send(browser, '', { token, ...applicant(email), ...more })
const codeOf = (answer: { json: () => { errors?: { code: string }[] } }) => answer.json().errors?.[0]?.code

async function enter(token: string, email: string): Promise<Browser> {
  const browser = newBrowser()
  const { code } = (await create(token, email, browser)).json()
  await browser.get(`/auth/callback?code=${code}`)
  return browser
}

test('the first administrator begins no trial, since staff are no customers', async () => {
  const email = 'no-trial@example.test'
  await enter(await link(), email)
  const { rows } =
    await sql`select trial_ends_at, trial_credit_due from clients where email = ${email}`.execute(db)
  expect(rows).toEqual([{ trial_ends_at: null, trial_credit_due: false }])
})

const register = () =>
  newBrowser().ask({
    method: 'POST',
    url: '/auth/register',
    payload: {
      first_name: 'Ilie',
      last_name: 'Rus',
      email: `${crypto.randomUUID()}@example.test`,
      password,
      terms: true,
    },
  })

test('the first administrator is created by the link, and the portal opens with their second factor', async () => {
  const token = await link()
  expect(token).toMatch(/^[\w-]{43}$/)
  expect((await check(token)).json()).toEqual({ status: true })
  const closed = await register()
  expect([closed.statusCode, codeOf(closed)]).toEqual([403, 'registration_not_open'])

  const browser = await enter(token, 'first@example.test')
  expect((await browser.get('/api/user')).json()).toMatchObject({
    email: 'first@example.test',
    staff: { role: 'admin', display_name: 'Ana', needs_second_factor: true },
  })
  expect((await browser.get('/api/v1/desk-clients')).statusCode).toBe(403)
  expect((await register()).statusCode).toBe(403)

  const { rows } = await sql`select origin, reason from staff_actions order by id desc limit 1`.execute(db)
  expect(rows).toEqual([{ origin: 'portal', reason: 'link of the first administrator' }])

  await enrol(browser, systemClock)
  expect((await browser.get('/api/v1/desk-clients')).statusCode).toBe(200)
  expect((await register()).statusCode).toBe(200)
  for (const answer of [await check(token), await create(token, 'second@example.test')])
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'setup_over'])
  expect(await makeSetupLink({ db, now: new Date(), publicUrl })).toBeUndefined()
  expect(await replaceSetupLinks({ db, now: new Date(), publicUrl })).toBeUndefined()
})

test('the portal stays open when its administrator turns the second factor off again', async () => {
  const browser = await enter(await link(), 'off@example.test')
  const { recoveryCodes } = await enrol(browser, systemClock)
  const off = await browser.send('POST', '/api/user/two-factor/disable', { code: recoveryCodes[0] })
  expect(off.statusCode).toBe(200)
  expect((await register()).statusCode).toBe(200)
  expect(await makeSetupLink({ db, now: new Date(), publicUrl })).toBeUndefined()
})

test('a link works once, also when two follow it at once', async () => {
  const token = await link()
  const answers = await Promise.all([create(token, 'one@example.test'), create(token, 'two@example.test')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
  expect(codeOf(await create(token, 'three@example.test'))).toBe('link_used')
  expect(codeOf(await check(token))).toBe('link_used')
})

test('with two links at once there is one administrator', async () => {
  const tokens = [await link(), await link()]
  const answers = await Promise.all(tokens.map((token, at) => create(token, `${at}@example.test`)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
  expect(await db.selectFrom('admins').select('id').where('disabled_at', 'is', null).execute()).toHaveLength(
    1,
  )
})

test('a link ends after 24 hours, and a link of the command replaces the earlier ones', async () => {
  expect(codeOf(await check(await link(new Date(Date.now() - 24 * hour))))).toBe('link_expired')
  const old = await link()
  const fresh = await replaceSetupLinks({ db, now: new Date(), publicUrl })
  expect(codeOf(await create(old, 'old@example.test'))).toBe('link_invalid')
  expect((await check(fresh?.split('#')[1] ?? '')).statusCode).toBe(200)
})

test('an administrator without a second factor is replaced by who follows a newer link', async () => {
  const lost = await enter(await link(), 'lost@example.test')
  const again = await enter(await link(), 'lost@example.test')
  expect((await lost.get('/api/user')).statusCode).toBe(401)
  expect((await again.get('/api/user')).json()).toMatchObject({ staff: { role: 'admin' } })
  const other = await enter(await link(), 'other@example.test')
  expect((await again.get('/api/user')).statusCode).toBe(401)
  expect((await newBrowser().login('lost@example.test', password)).statusCode).toBe(401)
  await enrol(other, systemClock)
  expect((await other.get('/api/v1/desk-clients')).statusCode).toBe(200)
})

test('of a second factor and a newer link at once, one wins', async () => {
  const first = await enter(await link(), 'race@example.test')
  const token = await link()
  const [, answer] = await Promise.all([
    enrol(first, systemClock).catch(() => undefined),
    create(token, 'rival@example.test'),
  ])
  const mine = await first.get('/api/v1/desk-clients')
  expect([mine.statusCode, answer.statusCode]).toSatisfy(
    ([desk, created]) => (desk === 200 && created === 404) || (desk === 401 && created === 200),
  )
})

test('guesses are blocked, from that address alone', async () => {
  const clock = stoppedClock()
  const { app: slow } = await testApp(pool, { clock })
  const guessers = browsersOn(slow)
  const guesser = guessers()
  const token = await link(clock.now())
  for (let tries = 0; tries < limits.setupLink.tries; tries++)
    expect((await check('guessed', guesser)).statusCode).toBe(404)
  expect(codeOf(await check('guessed', guesser))).toBe('attempts_too_many')
  expect((await check(token, guesser)).statusCode).toBe(429)
  expect((await check(token, guessers({ remoteAddress: '203.0.113.9' }))).statusCode).toBe(200)
})

test('the address of a client, a weak password and a missing name are refused, and the link still works', async () => {
  const token = await link()
  const { email } = await person(pool, 'client@example.test')
  const taken = await create(token, email)
  expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'staff_invite_client'])
  for (const more of [{ password: 'password1234' }, { name: ' ' }, { email: 'nobody' }, { role: 'admin' }])
    expect((await create(token, 'fresh@example.test', newBrowser(), more)).statusCode).toBe(422)
  expect((await create(token, 'fresh@example.test')).statusCode).toBe(200)
})

test('outside the networks of staff there is no set-up', async () => {
  const { app: far } = await testApp(pool, { env: { deskNetworks: ['192.0.2.0/24'] } })
  const token = await link()
  const [browser] = [browsersOn(far)()]
  expect(codeOf(await check(token, browser))).toBe('link_invalid')
  expect((await browser.get('/setup')).statusCode).toBe(404)
})

test('the page is found until the portal is set up, and the secret is kept nowhere', async () => {
  const token = await link()
  const there = await newBrowser().get('/setup')
  expect([there.statusCode, there.headers.location]).toEqual([302, '/desk/begin'])
  const { rows } = await sql<{
    kept: string
  }>`select string_agg(s::text, '') as kept from setup_links s`.execute(db)
  expect(rows[0]?.kept).not.toContain(token)
  await enrol(await enter(token, 'page@example.test'), systemClock)
  expect((await newBrowser().get('/setup')).statusCode).toBe(404)
})
