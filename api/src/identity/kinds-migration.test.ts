import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { evaluateBalances } from '#money/balance/balances.ts'
import { grantEnding } from '#money/balance/trial.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { processExpiringCards } from '#money/payments/cards/cards.ts'
import { systemClock } from '#platform/clock.ts'
import { migrate } from '#platform/db/migrate.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { pool, connection } = await testDatabase(4, 'template1')
const db = pool.kysely
const all = path.resolve(import.meta.dirname, '../platform/db/migrations')

/** Migrates to what the schema was before logins had kinds. */
async function migrateBefore(): Promise<void> {
  const { folder, remove } = temporaryFolder()
  for (const name of fs.readdirSync(all).filter((name) => name < '0418'))
    fs.copyFileSync(path.join(all, name), path.join(folder, name))
  await migrate(connection, { folder })
  remove()
}

type Old = { readonly id: number; readonly login: string; readonly email: string }

/** A client with a running trial, an API key, a card that ends and automatic payments, as the release before had them. */
async function oldClient(name: string): Promise<Old> {
  const email = `${name}@example.test`
  const { rows } = await sql<{ id: number; login: string }>`
    with a as (insert into auth_accounts (email, email_key, verified_at) values (${email}, ${email}, now()) returning id)
    insert into clients (auth_id, email, first_name, last_name, language_id, currency_id, status, trial_ends_at)
    select a.id, ${email}, 'Ada', 'Example', (select min(id) from languages), (select min(currency_id) from currency_policies), 1,
      clock_now() + interval '14 days' from a returning id, auth_id as login`.execute(db)
  const [made] = rows
  if (made === undefined) throw new Error('No client was made.')
  await sql`insert into client_features (client_id, feature, enabled) values (${made.id}, 'trial', true)`.execute(
    db,
  )
  await db.transaction().execute(async (tx) => {
    const { rows: days } = await sql<{ on: string }>`select clock_today() + 15 as "on"`.execute(tx)
    await grantEnding(tx, made.id, { amount: '20.00', key: `trial:${made.id}`, expiresOn: days[0]?.on ?? '' })
  })
  await makeKey(pool, { client: made.id })
  await sql`insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
    select ${made.id}, 'sandbox', ${email}, 'c', 'visa', '4242', extract(month from clock_today()), extract(year from clock_today()), 'f'`.execute(
    db,
  )
  await sql`insert into automated_billing_rules (client_id, enabled, threshold_amount, recharge_amount, status, consent_at, card_id)
    select client_id, true, 10, 50, 'active', now(), id from cards where client_id = ${made.id}`.execute(db)
  return { ...made, email }
}

const stateOf = async ({ id, login }: Old) => {
  const { rows } = await sql<Record<string, unknown>>`
    select a.kind as login, c.kind, c.trial_ends_at is not null as trial, b.credit_balance::float8 as credit,
      exists (select from api_keys k where k.client_id = c.id and k.revoked_at is null) as keys,
      (select r.status from automated_billing_rules r where r.client_id = c.id) as automatic
    from auth_accounts a join clients c on c.auth_id = a.id join account_balances b on b.client_id = c.id
    where c.id = ${id} and a.id = ${login}`.execute(db)
  return rows[0]
}

test('the migration marks the logins of staff, also of a replaced administrator, and of no client', async () => {
  await migrateBefore()
  await installJobs(connection)
  const [staff, replaced, client] = [
    await oldClient('staff'),
    await oldClient('replaced'),
    await oldClient('client'),
  ]
  await sql`insert into admins (email, display_name, role, auth_id)
    values (${staff.email}, 'Sorin', 'support', ${staff.login})`.execute(db)
  await sql`insert into auth_events (account_id, kind, at) values (${replaced.login}, 'staff-added', now())`.execute(
    db,
  )

  await sql`update account_balances set evaluate_due = false`.execute(db)
  expect(await migrate(connection)).toContain('0418-kinds-of-logins')
  const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }
  await evaluateBalances(outside, { byTime: false })

  const ofStaff = { login: 'staff', kind: 'staff', trial: false, credit: 0, keys: false, automatic: 'off' }
  expect([await stateOf(staff), await stateOf(replaced)]).toEqual([ofStaff, ofStaff])
  expect(await stateOf(client)).toEqual({
    login: 'client',
    kind: 'client',
    trial: true,
    credit: 20,
    keys: true,
    automatic: 'active',
  })
  expect(await verifyLedger(db)).toEqual([])

  // A card from before stays with its provider; nobody is written to about it as a customer.
  await processExpiringCards({ vault: testVault, within: (work) => db.transaction().execute(work) })
  expect(await lettersTo(pool, staff.email)).toEqual([])
  expect((await lettersTo(pool, client.email)).map(({ kind }) => kind)).toEqual(['card-expiring'])
})
