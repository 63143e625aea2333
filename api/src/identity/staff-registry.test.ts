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

/** As though somebody had confirmed a code of their authenticator app, or turned it off. */
const secondFactor = (accountId: string, on: boolean) =>
  sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${accountId}, '\\x00', ${on ? sql`now()` : null})
    on conflict (account_id) do update set enabled_at = excluded.enabled_at`.execute(db)

const roleOf = async (browser: Browser) => (await browser.get('/api/user')).json().staff?.role
/** How many of staff somebody knows: clients none, staff all. */
const sees = async (browser: Browser) => (await browser.get('/api/v1/admins')).json().meta?.page.total

test('rights begin with the second factor, follow the role, and end at the next request', async () => {
  const { email, accountId } = await person(pool, 'sorin@example.test')
  const browser = new Browser(app)
  await browser.signIn(email)
  expect(await roleOf(browser)).toBeUndefined()
  await add('Sorin@Example.test')
  // Who they were is who they are until then: how else would they turn it on?
  expect([await roleOf(browser), await sees(browser)]).toEqual([undefined, 0])
  await secondFactor(accountId, true)
  expect([await roleOf(browser), await sees(browser)]).toEqual(['support', 1])
  await secondFactor(accountId, false)
  expect(await roleOf(browser)).toBeUndefined()
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

test('whoever was disabled comes back as the same person, with a new session', async () => {
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

test('nobody becomes staff without a confirmed account that is for that alone', async () => {
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
  await expect(add(taken)).rejects.toThrow('Another member of staff')
  expect(await disable('nobody@example.test')).toBe(false)
})

test('who becomes staff is no customer any more: no trial, no balance, no billing profile', async () => {
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
  const holds = async (type: string) => (await browser.get(`/api/v1/${type}`)).json().meta.page.total
  expect([await holds('account-balances'), await holds('billing-profiles')]).toEqual([1, 1])
  await add(email)
  // Also before a second factor, while they are who they were.
  expect([await holds('account-balances'), await holds('billing-profiles')]).toEqual([0, 0])
  expect(Number((await credit()).credit_balance)).toBe(0)
  expect((await browser.get('/api/user')).json().trial_ends_at).toBeNull()
  await secondFactor(accountId, true)
  expect(await roleOf(browser)).toBe('support')
  // What was given and taken is in the ledger, and another trial does not begin.
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
