import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { resetFactors } from '#identity/staff-registry.ts'
import { Pool } from '#platform/db/pool.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { lettersTo } from '#test/support/mail.ts'
import { Browser, person } from '#test/support/people.ts'
import { type Member, makeMember } from '#test/support/staff.ts'

const { pool, connection } = await testDatabase()
const { app } = await testApp(pool)
const db = pool.kysely
const api = 'application/vnd.api+json'

type Role = Parameters<typeof makeMember>[1]

async function signedIn(role: Role): Promise<Member & { browser: Browser }> {
  const member = await makeMember(pool, role)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  return { ...member, browser }
}

async function act(by: Browser, path: string, input: object = {}) {
  const answer = await by.ask({
    method: 'POST',
    url: `${base}/desk-staff/${path}`,
    headers: {
      authorization: `Bearer ${by.cookies.get('token')}`,
      'content-type': api,
      'portico-reason': 'She changes teams',
    },
    payload: JSON.stringify({ data: input }),
  })
  return { status: answer.statusCode, code: answer.json().errors?.[0]?.code, json: answer.json() }
}

const on = (by: Browser, { admin }: Member, verb: string, input?: object) =>
  act(by, `${admin}/-actions/${verb}`, input)
const invite = (by: Browser, email: string, more: object = {}) =>
  act(by, '-actions/invite', { email, display_name: 'Ioana', role: 'support', language: 'en', ...more })
const listed = async (by: Browser, query = '') =>
  (await by.get(`${base}/desk-staff?page[size]=100${query}`)).json().data ?? []
const own = async (by: Browser) => (await by.get('/api/user')).statusCode
const age = () => sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)

let admin: Member & { browser: Browser }

beforeEach(async () => {
  admin = await signedIn('admin')
})

const verbs = ['disable', 'enable', 'endSessions', 'resetFactors', 'setRole'] as const

test.each(['support', 'billing', 'readonly'] as const)(
  '%s neither see the staff nor change it',
  async (role) => {
    const { browser } = await signedIn(role)
    const other = await makeMember(pool, 'support')
    expect((await listed(browser)).length).toBe(0)
    expect((await browser.get(`${base}/desk-staff/${other.admin}`)).statusCode).toBe(404)
    for (const verb of verbs) expect((await on(browser, other, verb, { role: 'billing' })).status).toBe(404)
    expect((await invite(browser, 'thief@example.test')).status).toBe(403)
    expect(await lettersTo(pool, 'thief@example.test')).toEqual([])
  },
)

test('clients and the unknown find no such type', async () => {
  const { email } = await person(pool, 'client-of-staff@example.test')
  const ana = new Browser(app)
  await ana.signIn(email)
  expect((await new Browser(app).get(`${base}/desk-staff`)).statusCode).toBe(404)
  expect((await ana.get(`${base}/desk-staff`)).statusCode).toBe(404)
  expect((await on(ana, admin, 'disable')).status).toBe(404)
  expect((await invite(ana, 'thief@example.test')).status).toBe(404)
})

test('the list shows role, second factor, last sign-in and state, and filters by it', async () => {
  const { browser, ...dan } = await signedIn('support')
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at)
    select auth_id, '\\x00', now() from admins where id = ${dan.admin}`.execute(db)
  await invite(admin.browser, 'invited@example.test')
  await invite(admin.browser, 'late@example.test')
  await sql`update admins set invited_until = now() - interval '1 minute' where email = 'late@example.test'`.execute(
    db,
  )
  const rows = await listed(admin.browser)
  const of = (email: string) =>
    rows.find(({ attributes }: { attributes: { email: string } }) => attributes.email === email)
  expect(of(dan.email)).toMatchObject({
    attributes: {
      role: 'support',
      state: 'active',
      second_factor: true,
      last_sign_in_at: expect.any(String),
    },
    meta: { may: { disable: true, enable: false, endSessions: true, setRole: true } },
  })
  expect(of('invited@example.test')).toMatchObject({
    attributes: { state: 'invited', second_factor: false, last_sign_in_at: null },
    meta: { may: { enable: false, endSessions: false, setRole: false, disable: true } },
  })
  expect(of('late@example.test')).toMatchObject({ attributes: { state: 'expired' } })
  expect(of(admin.email)).toMatchObject({
    meta: { may: { disable: false, endSessions: false, setRole: false } },
  })
  expect(JSON.stringify(rows)).not.toMatch(/hash|auth_id/)
  const expired = await listed(admin.browser, '&filter[state]=expired')
  expect(expired.map(({ attributes }: { attributes: { email: string } }) => attributes.email)).toEqual([
    'late@example.test',
  ])
})

test('a stolen session of support is cut: its next request is refused, and its refresh token too', async () => {
  const thief = await signedIn('support')
  expect(await own(thief.browser)).toBe(200)
  expect((await on(admin.browser, thief, 'endSessions')).json).toEqual({ ended: 1 })
  expect(await own(thief.browser)).toBe(401)
  expect((await thief.browser.refresh()).statusCode).toBe(401)
  // A sign-in that had begun is cut too.
  const again = new Browser(app)
  const { code } = (await again.login(thief.email)).json()
  await on(admin.browser, thief, 'endSessions')
  expect((await again.get(`/auth/callback?code=${code}`)).statusCode).toBe(401)
})

test('a disabled member is out until enabled and signed in again, and each act is logged with its reason', async () => {
  const dan = await signedIn('billing')
  expect((await on(admin.browser, dan, 'disable')).json).toEqual({ state: 'disabled' })
  expect(await own(dan.browser)).toBe(401)
  await dan.browser.signIn(dan.email)
  expect(await own(dan.browser)).toBe(401)
  expect((await on(admin.browser, dan, 'disable')).status).toBe(403)
  expect((await on(admin.browser, dan, 'enable')).json).toEqual({ state: 'active' })
  await dan.browser.signIn(dan.email)
  expect(await own(dan.browser)).toBe(200)
  expect((await on(admin.browser, dan, 'setRole', { role: 'readonly' })).json).toEqual({ role: 'readonly' })
  expect((await dan.browser.get('/api/user')).json().staff.role).toBe('readonly')
  const { rows } = await sql<{ verb: string; reason: string }>`
    select verb, reason from staff_actions where admin_id = ${admin.admin} and ref = ${String(dan.admin)} order by id`.execute(
    db,
  )
  expect(rows.map(({ verb }) => verb)).toEqual(['disable', 'enable', 'setRole'])
  expect(rows[0]?.reason).toBe('She changes teams')
})

test('a lost second factor of a member is removed, whichever it is, and of an administrator by two', async () => {
  const member = await signedIn('support')
  expect(await on(admin.browser, member, 'resetFactors')).toMatchObject({
    status: 409,
    code: 'two_factor_off',
  })
  const { rows } = await sql<{
    id: string
  }>`select auth_id as id from admins where id = ${member.admin}`.execute(db)
  const [account] = rows
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${account?.id}, '\\x00', now())`.execute(
    db,
  )
  await sql`insert into auth_passkeys (credential_id, account_id, name, public_key, counter, transports, synced, created_at)
    values (${`lost ${member.admin}`}, ${account?.id}, 'Lost', '\\x00', 0, '{}', false, now())`.execute(db)
  await sql`insert into auth_identities (issuer, subject, email, account_id, created_at)
    values ('https://accounts.google.com', ${`thief ${member.admin}`}, 'thief@example.test', ${account?.id}, now())`.execute(
    db,
  )
  const { rows: asked } = await sql<{
    id: number
  }>`insert into staff_requests (verb, about_type, input, about, reason, asked_by,
      asked_role, asked_alone, ends_at)
    values ('goodwill', 'desk-clients', '{}', 'Ana', 'Of a thief', ${member.admin}, 'support', false, now() + interval '2 days')
    returning id`.execute(db)
  const shown = async () =>
    (await listed(admin.browser)).find(({ id }: { id: string }) => id === String(member.admin))?.attributes
  expect(await shown()).toMatchObject({ second_factor: true })
  expect(await on(admin.browser, member, 'resetFactors')).toMatchObject({ status: 200, json: { ended: 1 } })
  expect(await shown()).toMatchObject({ second_factor: false })
  expect(await own(member.browser)).toBe(401)
  expect((await lettersTo(pool, member.email)).map(({ kind }) => kind)).toContain('two-factor-reset')
  const { rows: left } = await sql`select from auth_identities where account_id = ${account?.id}`.execute(db)
  expect(left).toEqual([])
  const { rows: after } = await sql`select decision from staff_requests where id = ${asked[0]?.id}`.execute(
    db,
  )
  expect(after).toEqual([{ decision: 'withdrawn' }])
  const other = await signedIn('admin')
  expect((await on(admin.browser, other, 'resetFactors')).code).toBe('second_person_required')
})

test('an account that a thief linked and left without a second factor is unlinked all the same', async () => {
  const member = await signedIn('support')
  await sql`insert into auth_identities (issuer, subject, email, account_id, created_at)
    select 'https://accounts.google.com', ${`left ${member.admin}`}, 'thief@example.test', auth_id, now()
    from admins where id = ${member.admin}`.execute(db)
  expect(await on(admin.browser, member, 'resetFactors')).toMatchObject({ status: 200, json: { ended: 1 } })
  expect((await on(admin.browser, member, 'resetFactors')).code).toBe('two_factor_off')
})

test('an invitation that a stolen second factor sent opens no account once the factor is removed', async () => {
  const thief = await signedIn('admin')
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at)
    select auth_id, '\\x00', now() from admins where id = ${thief.admin}`.execute(db)
  for (const [by, email] of [
    [thief, 'thief@example.test'],
    [admin, 'colleague@example.test'],
  ] as const)
    expect((await invite(by.browser, email)).status).toBe(200)
  const invited = async () =>
    (
      await sql`select email from admins where auth_id is null and invited_until > now()
      and email in ('thief@example.test', 'colleague@example.test') order by email`.execute(db)
    ).rows
  expect(await invited()).toHaveLength(2)
  const { rows } = await sql<{
    auth: string
  }>`select auth_id as auth from admins where id = ${thief.admin}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`set local portico.because = 'The test removes it'`.execute(tx)
    await resetFactors({ tx, now: new Date() }, { id: thief.admin, auth_id: rows[0]?.auth ?? null })
  })
  expect(await invited()).toEqual([{ email: 'colleague@example.test' }])
})

test('a browser whose sessions ended is unknown afterwards: the member is written to when it signs in', async () => {
  const { browser, ...member } = await signedIn('support')
  const told = async () =>
    (await lettersTo(pool, member.email)).filter(({ kind }) => kind === 'new-device').length
  await browser.signIn(member.email)
  const before = await told()
  expect((await on(admin.browser, member, 'endSessions')).status).toBe(200)
  await browser.signIn(member.email)
  expect(await told()).toBe(before + 1)
})

test('a passkey that is being added while the second factor is removed goes too', async () => {
  const member = await signedIn('support')
  const passkey = (tx: typeof db, name: string) =>
    sql`insert into auth_passkeys (credential_id, account_id, name, public_key, counter, transports, synced, created_at)
      select ${`${name} ${member.admin}`}, auth_id, ${name}, '\\x00', 0, '{}', false, now() from admins where id = ${member.admin}`.execute(
      tx,
    )
  await passkey(db, 'Lost')
  const elsewhere = new Pool(connection, 1, () => undefined)
  let reset: ReturnType<typeof on> | undefined
  await elsewhere.kysely.transaction().execute(async (tx) => {
    // Another session is adding a passkey, which locks the account until it is stored.
    await sql`select from auth_accounts where id = (select auth_id from admins where id = ${member.admin}) for update`.execute(
      tx,
    )
    await passkey(tx, 'Of a thief')
    reset = on(admin.browser, member, 'resetFactors')
    await untilBlocked(pool)
  })
  expect(await reset).toMatchObject({ status: 200 })
  await elsewhere.close()
  const { rows } = await sql`select p.name from auth_passkeys p join admins a on a.auth_id = p.account_id
    where a.id = ${member.admin}`.execute(db)
  expect(rows).toEqual([])
})

test('nobody is made an administrator by one person, nor is one demoted', async () => {
  const dan = await makeMember(pool, 'support')
  const chief = await makeMember(pool, 'admin')
  const wish = { email: 'chief@example.test', display_name: 'Ion', language: 'en' }
  for (const answer of [
    await on(admin.browser, dan, 'setRole', { role: 'admin' }),
    await on(admin.browser, chief, 'setRole', { role: 'support' }),
    await act(admin.browser, '-actions/inviteAdmin', wish),
  ])
    expect([answer.status, answer.code]).toEqual([403, 'second_person_required'])
  expect(await lettersTo(pool, 'chief@example.test')).toEqual([])
  expect((await invite(admin.browser, 'chief@example.test', { role: 'admin' })).status).toBe(422)
})

test('nobody acts on themselves', async () => {
  await signedIn('admin')
  for (const verb of verbs)
    expect(await on(admin.browser, admin, verb, { role: 'support' })).toMatchObject({
      status: 403,
      code: 'staff_not_self',
    })
})

test('an old sign-in changes nothing', async () => {
  const dan = await makeMember(pool, 'support')
  await age()
  for (const verb of ['disable', 'endSessions', 'setRole'])
    expect((await on(admin.browser, dan, verb, verb === 'setRole' ? { role: 'billing' } : {})).code).toBe(
      'recent_sign_in_required',
    )
  expect((await invite(admin.browser, 'soon@example.test')).code).toBe('recent_sign_in_required')
  expect(await lettersTo(pool, 'soon@example.test')).toEqual([])
})

test('of two administrators who disable each other at once one stays', async () => {
  const other = await signedIn('admin')
  await sql`update admins set disabled_at = now() where role = 'admin' and id not in (${admin.admin}, ${other.admin})`.execute(
    db,
  )
  const answers = await Promise.all([
    on(admin.browser, other, 'disable'),
    on(other.browser, admin, 'disable'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const { rows } =
    await sql`select from admins where role = 'admin' and disabled_at is null and auth_id is not null`.execute(
      db,
    )
  expect(rows).toHaveLength(1)
})

test('the database keeps the last administrator, also when two leave in transactions at once', async () => {
  const other = await signedIn('admin')
  await sql`update admins set disabled_at = now() where role = 'admin' and id not in (${admin.admin}, ${other.admin})`.execute(
    db,
  )
  const leave = (tx: typeof db, id: number) =>
    sql`update admins set role = 'support' where id = ${id}`.execute(tx)
  let second: Promise<unknown> = Promise.resolve()
  const elsewhere = new Pool(connection, 1, () => undefined)
  await db.transaction().execute(async (tx) => {
    await leave(tx, admin.admin)
    second = leave(elsewhere.kysely, other.admin)
    second.catch(() => undefined)
    await untilBlocked(pool)
  })
  await expect(second).rejects.toMatchObject({ constraint: 'admins_last' })
  await elsewhere.close()
  await expect(sql`delete from admins where id = ${other.admin}`.execute(db)).rejects.toMatchObject({
    constraint: 'admins_last',
  })
})
