import { securityLog } from '@portico/contract/calls/account/addresses.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import { type Browser, browsersOn, person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool, { env: { rateLimitScale: 100_000 } })
const browsers = browsersOn(app)
const reason = 'He wrote from this address'
const secret = 'nine green bottles standing'

async function member(role: 'support' | 'billing' | 'admin' | 'readonly') {
  const { email } = await makeMember(pool, role)
  const browser = browsers({ headers: { 'portico-reason': encodeURIComponent(reason) } })
  await browser.signIn(email)
  return browser
}
const admin = await member('admin')

const verbOf = (client: number) => `${base}/desk-clients/${client}/-actions/confirmEmail`
const confirm = (by: Browser, client: number, data: object = {}) => by.send('POST', verbOf(client), { data })
const codeOf = (answer: Awaited<ReturnType<typeof confirm>>) => answer.json().errors?.[0]?.code

let people = 0
const nextEmail = () => `ilie-${++people}@confirm.test`
const register = (email: string, browser: Browser) =>
  browser.ask({
    method: 'POST',
    url: '/auth/register',
    payload: { first_name: 'Ilie', last_name: 'Rus', email, password: secret, terms: true },
  })
const idOf = async (email: string) =>
  (await pool.kysely.selectFrom('clients').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id
const verifiedAt = async (client: number) =>
  (await admin.get(`${base}/desk-clients/${client}`)).json().data.attributes.email_verified_at

test('a person whom an administrator confirms goes on where they registered, with the trial', async () => {
  const email = nextEmail()
  const browser = browsers()
  await register(email, browser)
  const { link } = await newestLetter(pool, email, 'verify-email')
  const id = await idOf(email)
  const answer = await confirm(admin, id)
  expect([answer.statusCode, answer.json()]).toEqual([200, { email_verified_at: expect.any(String) }])
  expect(await verifiedAt(id)).not.toBeNull()
  const next = await browser.ask({ method: 'POST', url: '/auth/registration', payload: {} })
  expect(next.json()).toEqual({ verified: true, code: expect.any(String) })
  expect((await browser.get(`/auth/callback?code=${next.json().code}`)).statusCode).toBe(200)
  const { rows } = await sql`select trial_ends_at is not null as trial from clients where id = ${id}`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([{ trial: true }])
  // The letter is given up with its text, because its link is void.
  expect((await browsers().get(`/auth${link}`)).json().errors[0].code).toBe('link_invalid')
  // The owner of the address learns of the sign-in, in case the browser is not theirs.
  const kinds = ['email-confirmed-by-staff', 'new-device']
  expect((await lettersTo(pool, email)).map(({ kind }) => kind)).toEqual(kinds)
  expect((await lettersTo(pool, email))[0]).toMatchObject({ reason })
  const { events } = (await browser.get(securityLog.path)).json()
  expect(events.find(({ kind }: { kind: string }) => kind === 'email-verified')).toMatchObject({
    details: { reason },
  })
  const log = await sql`select verb, reason from staff_actions where client_id = ${id} order by id`.execute(
    pool.kysely,
  )
  expect(log.rows).toContainEqual({ verb: 'confirmEmail', reason })
})

test('others than administrators are refused, and so is one who signed in long ago', async () => {
  const { id } = await person(pool, nextEmail(), { verified: false })
  for (const role of ['support', 'billing', 'readonly'] as const)
    expect((await confirm(await member(role), id)).statusCode).toBe(403)
  const { email } = await person(pool, nextEmail())
  const client = browsers()
  await client.signIn(email)
  expect((await confirm(client, id)).statusCode).toBe(404)
  const anonymous = await browsers().ask({ method: 'POST', url: verbOf(id), payload: { data: {} } })
  expect(anonymous.statusCode).toBe(404)
  expect((await confirm(admin, 999_999)).statusCode).toBe(404)
  const staff = await makeMember(pool, 'support')
  expect((await confirm(admin, staff.client)).statusCode).toBe(404)
  expect((await confirm(admin, id, { all: true })).statusCode).toBe(422)
  const late = await makeMember(pool, 'admin')
  const browser = browsers({ headers: { 'portico-reason': 'Late' } })
  await browser.signIn(late.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'
    where account_id = (select id from auth_accounts where email = ${late.email})`.execute(pool.kysely)
  expect(codeOf(await confirm(browser, id))).toBe('recent_sign_in_required')
  expect(await verifiedAt(id)).toBeNull()
})

test('an address that two browsers registered is not confirmed by hand, also after their attempts ended', async () => {
  const email = nextEmail()
  await register(email, browsers({ remoteAddress: '203.0.113.5' }))
  // Beyond the limit of one letter a minute an account is not registered again.
  await sql`delete from auth_throttle`.execute(pool.kysely)
  await register(email, browsers({ remoteAddress: '203.0.113.6' }))
  const id = await idOf(email)
  expect(codeOf(await confirm(admin, id))).toBe('client_registered_twice')
  await sql`delete from auth_one_time where purpose = 'registration'`.execute(pool.kysely)
  expect(codeOf(await confirm(admin, id))).toBe('client_registered_twice')
  expect(await verifiedAt(id)).toBeNull()
})

/** Registers in two browsers, or twice in one, from these addresses; returns the client after the attempts have ended. */
async function registeredTwice(first: Browser, second: Browser) {
  const email = nextEmail()
  await register(email, first)
  await sql`delete from auth_throttle`.execute(pool.kysely)
  await register(email, second)
  await sql`delete from auth_one_time where purpose = 'registration'`.execute(pool.kysely)
  return idOf(email)
}

test('a browser that registered again from another network is one browser; a stranger on the same network is not', async () => {
  const walking = browsers({ remoteAddress: '203.0.113.5' })
  const later = walking.asking({ remoteAddress: '198.51.100.9' })
  expect((await confirm(admin, await registeredTwice(walking, later))).statusCode).toBe(200)
  const near = () => browsers({ remoteAddress: '203.0.113.5' })
  const id = await registeredTwice(near(), near())
  expect(codeOf(await confirm(admin, id))).toBe('client_registered_twice')
  expect(await verifiedAt(id)).toBeNull()
})

test('a confirmed address, a blocked client and one without a sign-in are refused', async () => {
  const known = await person(pool, nextEmail())
  expect(codeOf(await confirm(admin, known.id))).toBe('client_email_confirmed')
  const blocked = await person(pool, nextEmail(), { verified: false, status: 0 })
  expect(codeOf(await confirm(admin, blocked.id))).toBe('client_not_active')
  const without = await makeAccount(pool, { projects: 0, panels: 0 })
  expect(codeOf(await confirm(admin, without.id))).toBe('client_not_active')
})
