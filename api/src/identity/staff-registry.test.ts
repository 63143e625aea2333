import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTrial } from '#money/balance/trial.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { createAccount } from './accounts.ts'
import { addStaff, disableStaff, listStaff, type NewStaff } from './staff-registry.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
const db = pool.kysely

const add = (email: string, more: Partial<NewStaff> = {}) =>
  db
    .transaction()
    .execute((tx) =>
      addStaff({ tx, now: new Date() }, { email, role: 'support', displayName: undefined, ...more }),
    )
const disable = (email: string) =>
  db.transaction().execute((tx) => disableStaff({ tx, now: new Date() }, email))

/** Simulates confirming an authenticator app, or turning it off. */
const secondFactor = (accountId: string, on: boolean) =>
  sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${accountId}, '\\x00', ${on ? sql`now()` : null})
    on conflict (account_id) do update set enabled_at = excluded.enabled_at`.execute(db)

const staffOf = async (browser: Browser) => (await browser.get('/api/user')).json().staff
const roleOf = async (browser: Browser) => (await staffOf(browser))?.role
/** The number of staff that a person sees: none for clients, all for staff. */
const sees = async (browser: Browser) => (await browser.get('/api/v1/admins')).json().meta?.page.total

test('rights begin with the second factor, follow the role, and end at the next request', async () => {
  const { email, accountId } = await person(pool, 'sorin@example.test')
  const browser = new Browser(app)
  await browser.signIn(email)
  expect(await roleOf(browser)).toBeUndefined()
  await add('Sorin@Example.test')
  expect(await staffOf(browser)).toMatchObject({ role: 'support', needs_second_factor: true })
  expect(await sees(browser)).toBeUndefined()
  await secondFactor(accountId, true)
  expect([await roleOf(browser), await sees(browser)]).toEqual(['support', 1])
  expect(await staffOf(browser)).toMatchObject({ needs_second_factor: false })
  await secondFactor(accountId, false)
  expect(await staffOf(browser)).toMatchObject({ needs_second_factor: true })
  await secondFactor(accountId, true)
  await add(email, { role: 'billing', displayName: 'Billing of Acme' })
  expect(await roleOf(browser)).toBe('billing')
  expect(await disable(email)).toBe(true)
  expect([(await browser.get('/api/user')).statusCode, await sees(browser)]).toEqual([401, undefined])
  const events = await db
    .selectFrom('auth_events')
    .select(['kind', 'about'])
    .where('account_id', '=', accountId)
    .where('kind', 'like', 'staff-%')
    .orderBy('id')
    .execute()
  expect(events.map(({ kind, about }) => [kind, about])).toEqual([
    ['staff-added', 'support'],
    ['staff-added', 'billing'],
    ['staff-disabled', null],
  ])
})

test('without the second factor staff are no customers either, and reach only how they sign in', async () => {
  const { id, email } = await person(pool, 'dan@example.test')
  const { id: project } = await db
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', id)
    .executeTakeFirstOrThrow()
  await add(email, { role: 'admin' })
  const browser = new Browser(app)
  await browser.signIn(email)
  const api = 'application/vnd.api+json'
  const panel = {
    data: {
      type: 'panels',
      attributes: { name: 'unseen' },
      relationships: { project: { data: { type: 'projects', id: String(project) } } },
    },
  }
  const post = () =>
    browser.ask({
      method: 'POST',
      url: '/api/v1/panels',
      headers: { authorization: `Bearer ${browser.cookies.get('token')}`, 'content-type': api },
      payload: JSON.stringify(panel),
    })
  const refused = await post()
  expect(refused.statusCode).toBe(403)
  expect(refused.json().errors).toMatchObject([
    {
      code: 'staff_second_factor_required',
      detail: 'Turn on two-factor authentication or add a passkey to work as staff.',
    },
  ])
  expect(await db.selectFrom('panels').select('id').where('client_id', '=', id).execute()).toEqual([])
  const closed = ['projects', 'tickets', 'clients', 'staff-alerts', 'notifications'].map(
    (type) => `/api/v1/${type}`,
  )
  const files = [
    '/api/v1/invoices/1/-actions/download',
    '/api/v1/ticket-files/1/-actions/download',
    '/api/user/exports',
  ]
  for (const url of [...closed, ...files, '/api/user/closing'])
    expect([url, (await browser.get(url)).statusCode]).toEqual([url, 403])
  for (const call of ['security', 'security-log', 'sessions', 'passkeys', 'identities'])
    expect([call, (await browser.get(`/api/user/${call}`)).statusCode]).toEqual([call, 200])
  expect((await browser.send('POST', '/api/user/two-factor/setup')).statusCode).toBe(200)
  browser.cookies.set('lang', 'ro')
  expect((await post()).json().errors[0].detail).toBe(
    'Activează autentificarea în doi pași sau adaugă o cheie de acces ca să poți lucra ca membru al echipei.',
  )
})

test('a re-enabled staff member is the same person, with a new session', async () => {
  const { email, accountId } = await person(pool, 'back@example.test')
  await secondFactor(accountId, true)
  await add(email, { displayName: 'Back' })
  await disable(email)
  await add(email, { role: 'admin' })
  const known = (await listStaff(db)).filter((one) => one.email === email)
  expect(known).toEqual([
    { email, display_name: 'Back', role: 'admin', disabled_at: null, totp_required: true, two_factor: true },
  ])
})

test('only a confirmed account without other use becomes staff', async () => {
  await expect(add('nobody@example.test')).rejects.toMatchObject({ code: 'staff_account_missing' })
  const { email: unconfirmed } = await person(pool, 'unconfirmed@example.test', { verified: false })
  const { email: blocked } = await person(pool, 'blocked@example.test', { status: 0 })
  for (const email of [unconfirmed, blocked])
    await expect(add(email)).rejects.toMatchObject({ code: 'staff_account_unfit' })
  const client = await makeAccount(pool, { projects: 1, panels: 1 })
  await db.transaction().execute(async (tx) => {
    const verifiedAt = new Date()
    const auth_id = await createAccount(tx, { email: client.email, passwordHash: null, verifiedAt })
    await tx.updateTable('clients').set({ auth_id }).where('id', '=', client.id).execute()
  })
  await expect(add(client.email)).rejects.toThrow('has panels')
  const { email: taken } = await person(pool, 'taken@example.test')
  const { accountId: auth_id } = await person(pool, 'first@example.test')
  const first = { email: taken, display_name: 'X', role: 'admin', auth_id }
  await db.insertInto('admins').values(first).execute()
  await expect(add(taken)).rejects.toThrow('Another staff member')
  expect(await disable('nobody@example.test')).toBe(false)
})

test('a new member of staff is no customer any more: no trial, no balance, no billing profile', async () => {
  const { id, email, accountId } = await person(pool, 'mara@example.test')
  await db.transaction().execute((tx) => startTrial(tx, id))
  const credit = () =>
    db
      .selectFrom('account_balances')
      .select('credit_balance')
      .where('client_id', '=', id)
      .executeTakeFirstOrThrow()
  expect(Number((await credit()).credit_balance)).toBeGreaterThan(0)
  const browser = new Browser(app)
  await browser.signIn(email)
  /** Whether the list has the person's own row; staff read those of clients. */
  const holds = async (type: string) =>
    (await browser.get(`/api/v1/${type}?page[size]=100`))
      .json()
      .data.some((row: { id: string }) => row.id === String(id))
  expect([await holds('account-balances'), await holds('billing-profiles')]).toEqual([true, true])
  await add(email)
  expect(Number((await credit()).credit_balance)).toBe(0)
  expect((await browser.get('/api/user')).json().trial_ends_at).toBeNull()
  await secondFactor(accountId, true)
  expect(await roleOf(browser)).toBe('support')
  expect([await holds('account-balances'), await holds('billing-profiles')]).toEqual([false, false])
  // The withdrawal of the credit is in the ledger, and a second trial does not begin.
  await db.transaction().execute((tx) => startTrial(tx, id))
  const { rows } = await sql<{
    kind: string
  }>`select kind from ledger_transactions where client_id = ${id} order by id`.execute(db)
  expect(rows.map(({ kind }) => kind)).toEqual(['promo', 'promo_expiry'])
})

test('an account that was paid into stays a customer’s', async () => {
  const { id, email } = await person(pool, 'petru@example.test')
  await db
    .transaction()
    .execute((tx) => deposit(tx, { key: 'paid', clientId: id, currency: 'EUR', means: 'bank', net: '5.00' }))
  await expect(add(email)).rejects.toMatchObject({ code: 'staff_account_has_money' })
  expect(await db.selectFrom('admins').select('id').where('email', '=', email).execute()).toEqual([])
})

test('commands keep the last active administrator too, also from a change of role', async () => {
  const { email } = await person(pool, 'chief@example.test')
  await add(email, { role: 'admin' })
  await sql`update admins set disabled_at = now() where role = 'admin' and email <> ${email}
    and disabled_at is null`.execute(db)
  await expect(disable(email)).rejects.toMatchObject({ code: 'staff_last_admin' })
  await expect(add(email, { role: 'support' })).rejects.toMatchObject({ code: 'staff_last_admin' })
  const { email: second } = await person(pool, 'deputy@example.test')
  await add(second, { role: 'admin' })
  expect(await disable(email)).toBe(true)
})
