import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { markByTime } from '#money/balance/balances.ts'
import { requestAllAutoBilling } from '#money/payments/automatic/automated-billing.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { pruneKeys } from '#platform/jsonapi/write/prune-keys.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { testVault } from '#test/support/mail.ts'

// Jobs over all accounts run in steps that each stay far below the statement timeout, and skip no account.

const { pool } = await testDatabase()
const db = pool.kysely
const clients: number[] = []

beforeAll(async () => {
  for (let n = 0; n < 5; n++) clients.push((await makeAccount(pool, { projects: 0, panels: 0 })).id)
})

/** The statements that `work` sends and that name a table. */
async function statements(work: () => Promise<unknown>, table: string): Promise<number> {
  let sent = 0
  const end = pool.observe((text) => {
    if (text.includes(table)) sent++
  })
  await work().finally(end)
  return sent
}

test.each([1, 2, 5, 1000])('accounts for whom a day passes are marked %i at a time', async (many) => {
  const [first, ...rest] = clients
  await sql`update account_balances set evaluate_due = false`.execute(db)
  await sql`update clients set billing_status = 1, low_since = case when id <> ${first} then date '2026-01-01' end`.execute(
    db,
  )
  expect(await statements(() => markByTime(db, many), 'account_balances')).toBe(Math.ceil(5 / many) + 1)
  const { rows } = await sql<{ client_id: number }>`
    select client_id from account_balances where evaluate_due order by client_id`.execute(db)
  expect(rows.map(({ client_id }) => client_id)).toEqual(rest)
})

test.each([1, 2, 500])('rules that are on are asked about %i at a time', async (many) => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await sql`delete from automated_billing_rules`.execute(db)
  for (const id of clients)
    await sql`with card as (
        insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
        values (${id}, 'sandbox', ${`pm_${id}_${many}`}, 'cus', 'visa', '4242', 12, 2040, ${`f${many}`}) returning id
      )
      insert into automated_billing_rules (client_id, enabled, status, threshold_amount, recharge_amount, card_id, consent_at)
      select ${id}, true, case when ${id}::int8 = ${clients[1]} then 'paused_declined' else 'active' end, 15, 50, id, now()
      from card`.execute(db)
  await requestAllAutoBilling(paymentScopeOn({ pool, vault: testVault, payments: {} as never }), many) // No account pays here.
  const { rows } = await sql<{
    key: string
  }>`select key from graphile_worker._private_jobs order by key`.execute(db)
  const asked = clients.filter((id) => id !== clients[1]).map((id) => `auto:${id}`)
  expect(rows.map(({ key }) => key)).toEqual(asked.sort())
})

test.each([1, 3, 5000])(
  'answers that are old are forgotten %i at a time, and those about money never',
  async (many) => {
    await sql`delete from idempotency_keys`.execute(db)
    const keep = async (key: string, days: number, forever: boolean) =>
      sql`insert into idempotency_keys (actor, key, request_hash, locked_until, keep, created_at)
      values ('client:1', ${key}, '\\x00', now(), ${forever}, now() - make_interval(days => ${days}::int))`.execute(
        db,
      )
    for (let n = 0; n < 6; n++) await keep(`old ${n}`, 8, false)
    await keep('new', 6, false)
    await keep('money', 800, true)
    await pruneKeys(db, many)
    const { rows } = await sql<{ key: string }>`select key from idempotency_keys order by key`.execute(db)
    expect(rows.map(({ key }) => key)).toEqual(['money', 'new'])
  },
)
