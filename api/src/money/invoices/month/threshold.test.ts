import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'

// What a month's bill adds to the sales to consumers abroad, of which a part may be taxed in the operator's country. A dollar is 4.5 lei.

const ports = await stripePortal()
const { portal, db, addCard } = ports
const { told, payments } = disputesOn(ports)
let hans: Account

beforeEach(async () => {
  await newSeries(portal.pool)
  await sql`update operator_profile set oss_registered = false, oss_threshold = 46337`.execute(db)
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  hans = await makePayer(portal, null, { country: 'DE', company: false })
  await addCard(hans)
})
afterEach(() => sql`update operator_profile set oss_registered = true`.execute(db))

async function close(at: string): Promise<void> {
  await businessTime(portal.pool, at)
  await closeDueMonth(db, (_, error) => {
    throw error
  })
}

/** Lets so many lei be sold abroad up to a day until the threshold is reached. */
const leave = (lei: number, on: string) =>
  sql`update operator_profile set oss_threshold = ${lei} + (
    select coalesce(sum(net * coalesce(fx_rate, 1)), 0) from invoices
    where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
      and tax_point_date <= ${on}::date)`.execute(db)

async function lastBill() {
  const { vat_treatment, net } = await db
    .selectFrom('invoices')
    .select(['vat_treatment', 'net'])
    .where('client_id', '=', hans.id)
    .where('reason', '=', 'service_bill')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return [vat_treatment, net]
}

test.each([
  [22.5, 'origin'],
  [22.49, 'destination'],
])(
  'of a bill with a disputed part, what was not sold before counts: with %d lei left it is %s',
  async (left, treatment) => {
    await pay(portal.as(hans), { net: 50 })
    await used(db, hans, ['2026-10-05'], '20')
    await close('2026-11-01T10:00:00Z')
    const [payment] = await payments(hans.id)
    if (!payment) throw new Error('Nothing was paid.')
    await told('lost', 6050, payment)
    await used(db, hans, ['2026-11-05'], '5')
    await leave(left, '2026-11-30')
    await close('2026-12-01T10:00:00Z')
    expect(await lastBill()).toEqual([treatment, '25.00'])
  },
)

test.each([
  [90, 'origin'],
  [89.99, 'destination'],
])(
  'of a bill that a deposit pays in part, the rest counts: with %d lei left it is %s',
  async (left, treatment) => {
    await pay(portal.as(hans), { net: 50 })
    await used(db, hans, ['2026-10-05'], '70')
    await leave(left, '2026-10-31')
    await close('2026-11-01T10:00:00Z')
    expect(await lastBill()).toEqual([treatment, '20.00'])
  },
)
