import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime, used } from '#test/support/money.ts'
import { closeDueMonth } from './close-run.ts'

// Months that could not be closed in time: no series had numbers in November.

const { pool } = await testDatabase()
const db = pool.kysely
let ana: Account

beforeEach(async () => {
  await makeOperator(pool)
  await sql`update client_entities set city = null`.execute(db)
  await businessTime(pool, '2026-10-03T10:00:00Z')
  await newSeries(pool)
  await sql`update invoice_series set active = false`.execute(db)
  ana = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await makeBuyer(pool, ana, { company: false })
  await used(db, ana, ['2026-10-05'], '10')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  await run()
  expect(await bills()).toEqual([])
  await makeBuyer(pool, ana, { country: 'US', company: false })
  await used(db, ana, ['2026-11-05'], '20')
  await businessTime(pool, '2026-12-02T10:00:00Z')
})

const failures: unknown[] = []
const run = () => closeDueMonth(db, (_, error) => failures.push(error))

async function bills({ id }: Account = ana) {
  const rows = await db
    .selectFrom('invoices')
    .select(['period', 'net', 'vat', 'vat_treatment', 'tax_point_date'])
    .where('client_id', '=', id)
    .where('reason', '=', 'service_bill')
    .orderBy('id')
    .execute()
  return rows.map((row) => Object.values(row).map(String).join(' '))
}

const october = '[2026-10-01,2026-11-01) 10.00 2.10 domestic 2026-10-31'

test('each month that is still open has its own bill, with the VAT of its own last day', async () => {
  await newSeries(pool)
  expect(await run()).toMatchObject({ issued: 2 })
  expect(await bills()).toEqual([october, '[2026-11-01,2026-12-01) 20.00 0.00 outside_eu 2026-11-30'])
  expect(await run()).toMatchObject({ issued: 0 })
  expect(await verifyLedger(db)).toEqual([])
})

test('while an older month cannot be closed, the last one is not either', async () => {
  await newSeries(pool)
  const rates = (from: string, to: string) =>
    sql`update vat_rates set region = ${to} where country = 'RO' and region = ${from}`.execute(db)
  await rates('', 'unknown')
  expect(await run()).toMatchObject({ issued: 0 })
  expect(await bills()).toEqual([])
  expect(failures.at(-1)).toMatchObject({ code: 'documents_need_vat_rate' })
  await rates('unknown', '')
})

test('what is charged late for a month with a bill is on the bill of the last month', async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-11-02T10:00:00Z')
  await run()
  await used(db, ana, ['2026-10-06'], '5')
  await businessTime(pool, '2026-12-02T10:00:00Z')
  await run()
  expect(await bills()).toEqual([october, '[2026-11-01,2026-12-01) 25.00 0.00 outside_eu 2026-11-30'])
})

test('a month that is charged while the next one is being closed has a bill of its own', async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-10-03T10:00:00Z')
  const bob = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await makeBuyer(pool, bob, { company: false })
  await businessTime(pool, '2026-12-02T10:00:00Z')
  await used(db, bob, ['2026-11-05'], '20')
  await used(db, bob, ['2026-10-05'], '10', { charged: false })
  const { closing } = await db.transaction().execute(async (tx) => {
    await sql`select from usage_client_days where client_id = ${bob.id} and usage_on = '2026-11-05' for update`.execute(
      tx,
    )
    const running = run()
    await untilBlocked(pool)
    await sql`select charge_client_day(${bob.id}, '2026-10-05')`.execute(tx)
    return { closing: running }
  })
  await closing
  expect(await bills(bob)).toEqual([])
  await run()
  expect(await bills(bob)).toEqual([october, '[2026-11-01,2026-12-01) 20.00 4.20 domestic 2026-11-30'])
})
