import { securityLog } from '@portico/contract/calls/account/addresses.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo } from '#test/support/mail.ts'
import { type Browser, browsersOn, person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
const browsers = browsersOn(app)
const reason = 'Her laptop was stolen'

async function member(role: 'support' | 'billing' | 'admin' | 'readonly') {
  const { email } = await makeMember(pool, role)
  const browser = browsers({ headers: { 'portico-reason': encodeURIComponent(reason) } })
  await browser.signIn(email)
  return browser
}
async function signedIn(email: string) {
  const browser = browsers()
  await browser.signIn(email)
  return browser
}
const verbOf = (client: number) => `${base}/desk-clients/${client}/-actions/endSessions`
const end = (by: Browser, client: number, data: object = {}) => by.send('POST', verbOf(client), { data })
const own = async (browser: Browser) => (await browser.get(`${base}/projects`)).statusCode
const codeOf = (answer: Awaited<ReturnType<typeof end>>) => answer.json().errors?.[0]?.code
const ana = await person(pool, 'ana@example.test')
const support = await member('support')

test('a client whom support signs out is refused at the next request, on every device', async () => {
  const [laptop, phone] = [await signedIn(ana.email), await signedIn(ana.email)]
  const other = await person(pool, 'dan@example.test')
  const another = await signedIn(other.email)
  expect([await own(laptop), await own(phone)]).toEqual([200, 200])
  // A sign-in that has begun is a way in as well.
  const begun = browsers()
  const { code } = (await begun.login(ana.email)).json()

  const answer = await end(support, ana.id)
  expect([answer.statusCode, answer.json()]).toEqual([200, { ended: 2 }])
  expect([await own(laptop), await own(phone)]).toEqual([401, 401])
  expect((await laptop.refresh()).statusCode).toBe(401)
  expect((await begun.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
  expect(await own(another)).toBe(200)
  expect(await own(await signedIn(ana.email))).toBe(200)
})

test('a browser that was signed out is unknown afterwards: the client is written to when it signs in', async () => {
  const { email, id } = await person(pool, 'eva@example.test')
  const laptop = await signedIn(email)
  const told = async () => (await lettersTo(pool, email)).filter(({ kind }) => kind === 'new-device').length
  const before = await told()
  await laptop.signIn(email)
  expect(await told()).toBe(before)
  expect((await end(support, id)).statusCode).toBe(200)
  await laptop.signIn(email)
  expect(await told()).toBe(before + 1)
})

test('the client reads who did it and why, in a letter and in their activity, and the log of staff keeps it', async () => {
  expect((await end(support, ana.id)).statusCode).toBe(200)
  expect((await lettersTo(pool, ana.email)).at(-1)).toMatchObject({ kind: 'sessions-ended', reason })
  const browser = await signedIn(ana.email)
  const { events } = (await browser.get(securityLog.path)).json()
  expect(events.find(({ kind }: { kind: string }) => kind === 'session-ended')).toMatchObject({
    details: { reason },
  })
  const { rows } = await sql`select verb, reason, client_id from staff_actions where verb = 'endSessions'
    order by id desc limit 1`.execute(pool.kysely)
  expect(rows).toEqual([{ verb: 'endSessions', reason, client_id: ana.id }])
})

test('others than support and administrators are refused, and nothing ends', async () => {
  const browser = await signedIn(ana.email)
  for (const role of ['billing', 'readonly'] as const)
    expect((await end(await member(role), ana.id)).statusCode).toBe(403)
  expect((await end(browser, ana.id)).statusCode).toBe(404)
  const anonymous = await browsers().ask({ method: 'POST', url: verbOf(ana.id), payload: { data: {} } })
  expect(anonymous.statusCode).toBe(404)
  expect((await end(support, 999_999)).statusCode).toBe(404)
  const { client } = await makeMember(pool, 'support')
  expect((await end(support, client)).statusCode).toBe(404)
  expect((await end(support, ana.id, { all: true })).statusCode).toBe(422)
  expect(await own(browser)).toBe(200)
  expect((await end(await member('admin'), ana.id)).statusCode).toBe(200)
  expect(await own(browser)).toBe(401)
})

test('it needs a reason, a recent sign-in, and a client who can sign in', async () => {
  const silent = await signedIn((await makeMember(pool, 'support')).email)
  expect(codeOf(await end(silent, ana.id))).toBe('staff_reason_required')
  const { email } = await makeMember(pool, 'support')
  const late = browsers({ headers: { 'portico-reason': reason } })
  await late.signIn(email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'
    where account_id = (select id from auth_accounts where email = ${email})`.execute(pool.kysely)
  expect(codeOf(await end(late, ana.id))).toBe('recent_sign_in_required')
  const blocked = await person(pool, 'blocked@example.test')
  await sql`update clients set status = 0 where id = ${blocked.id}`.execute(pool.kysely)
  expect(codeOf(await end(support, blocked.id))).toBe('client_not_active')
})
