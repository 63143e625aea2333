import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordedOffice } from '#money/invoices/vat/vat-office.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { only, testVault } from '#test/support/engine.ts'
import { businessTime, used } from '#test/support/money.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'
import { advanceDay } from './advance-day.ts'

const { pool } = await testDatabase()
const db = pool.kysely

test('a day of the demo asks about VAT numbers again before it bills the month, whose proof is 40 days old', async () => {
  const clock = { now: () => new Date('2026-10-31T10:00:00Z') }
  await businessTime(pool, '2026-10-31T10:00:00Z')
  await makeOperator(pool)
  await newSeries(pool)
  const hans = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
  await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
    values (${hans.id}, 'DE123456788', 'valid', 'test', '2026-09-21T10:00:00Z')`.execute(db)
  await used(db, hans, ['2026-10-05'], '20')
  const engines = only(new SimulatedEngine(clock, 'http://localhost/console'))
  const outside = { pool, clock, vault: testVault, engines, vatOffice: recordedOffice(['DE123456788']) }
  await advanceDay(outside, undefined, [])
  const bills = await db
    .selectFrom('invoices')
    .select(['reason', 'vat_treatment', 'total'])
    .where('client_id', '=', hans.id)
    .execute()
  expect(bills).toEqual([{ reason: 'service_bill', vat_treatment: 'reverse_charge', total: '20.00' }])
})
