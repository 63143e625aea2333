import type { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Problems } from '#platform/errors/problem.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { makePayment } from '#test/support/payment.ts'
import { testPortal } from '#test/support/portal.ts'
import { billedOf } from './parties.ts'

const portal = await testPortal()
const { pool } = portal
await businessTime(pool, '2026-03-10T12:00:00Z')
const ana = await makeAccount(pool, { projects: 1, panels: 1 })
const stranger = await makeAccount(pool, { projects: 1, panels: 1 })
const week = ['03', '04', '05', '06', '07', '08', '09'].map((day) => `2026-03-${day}`)
// With what an account of a test begins with, twenty are left, at two a day: ten days.
await movedBalance(pool, ana.id, '11.654322', '2026-03-02')
await used(pool.kysely, ana, week, '2')

const path = `${base}/billing-profiles/${ana.id}`
type Forecast = z.output<typeof billingProfiles.actions.forecast.output>
const forecast = async (payload: unknown, visitor = portal.as(ana)) => {
  const { status, json } = await visitor.get(
    `${path}/-actions/forecast?payload=${encodeURIComponent(JSON.stringify(payload))}`,
  )
  // A refusal has no forecast; only its status is compared.
  return { status, ...(json as Forecast) }
}
const profile = async () => (await portal.as(ana).get(`${base}/billing-profiles`)).list[0]?.attributes

test('a profile says how it is paid, what the office said of its number, and what is to be billed', async () => {
  const db = pool.kysely
  expect(await profile()).toMatchObject({
    payment_mode: 'manual',
    vat_check_status: 'none',
    vat_checked_at: null,
    service_bills_sum: 0,
    next_bill_on: null,
    warn_below: -3,
    seller: null,
  })
  await makeOperator(pool)
  const { rows } = await sql<{ legal_name: string }>`select legal_name from operator_profile`.execute(db)
  expect((await profile())?.seller).toBe(rows[0]?.legal_name)
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: 'DE 136 695 976' })
  const status = async () => (await profile())?.vat_check_status
  expect(await status()).toBe('pending')
  for (const [number, answer] of [
    ['DE136695976', 'unavailable'],
    ['DE136695976', 'valid'],
    ['DE999999999', 'invalid'],
  ])
    await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
      values (${ana.id}, ${number}, ${answer}, 'test', clock_now())`.execute(db)
  expect(await profile()).toMatchObject({ vat_check_status: 'valid', next_bill_on: '2026-04-01' })
  // The close of March waits until three o'clock in Bucharest.
  await businessTime(pool, '2026-03-31T23:00:00Z')
  expect(await profile()).toMatchObject({ next_bill_on: '2026-04-01' })
  await businessTime(pool, '2026-04-01T01:00:00Z')
  expect(await profile()).toMatchObject({ next_bill_on: '2026-05-01' })
  await businessTime(pool, '2026-03-10T12:00:00Z')
  await sql`update client_entities set account_type = 2 where client_id = ${ana.id}`.execute(db)
  expect(await status()).toBe('none')
})

test('automatic payment works while it is on, not paused, and its card can be charged', async () => {
  const db = pool.kysely
  const works = async () => (await profile())?.automatic_works
  expect(await works()).toBe(false)
  await sql`with card as (
      insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
      values (${ana.id}, 'sandbox', 'pm_1', 'cus', 'visa', '4242', 12, 2040, 'f1') returning id)
    insert into automated_billing_rules (client_id, enabled, status, threshold_amount, recharge_amount, card_id, consent_at)
    select ${ana.id}, true, 'active', 15, 50, id, now() from card`.execute(db)
  expect(await profile()).toMatchObject({ payment_mode: 'auto', automatic_works: true })
  await sql`update cards set status = 'failed' where client_id = ${ana.id}`.execute(db)
  expect(await profile()).toMatchObject({ payment_mode: 'auto', automatic_works: false })
  await sql`update cards set status = 'active' where client_id = ${ana.id}`.execute(db)
  await sql`update automated_billing_rules set status = 'paused_declined' where client_id = ${ana.id}`.execute(
    db,
  )
  expect(await works()).toBe(false)
  await sql`delete from automated_billing_rules where client_id = ${ana.id}`.execute(db)
})

test('documents are issued to an account with a panel or a payment', async () => {
  const db = pool.kysely
  const guest = await makeAccount(pool, { projects: 1, panels: 0 })
  const invoiced = async (one: { readonly id: number }) =>
    (await portal.as(one).get(`${base}/billing-profiles`)).list[0]?.attributes?.is_invoiced
  expect(await invoiced(ana)).toBe(true)
  expect(await invoiced(guest)).toBe(false)
  const former = await makeAccount(pool, { projects: 1, panels: 1 })
  await sql`update panels set status = 'deleted', deleted_at = now() where client_id = ${former.id}`.execute(
    db,
  )
  expect(await invoiced(former)).toBe(false)
  const { transactions } = await makePayment(pool, former.id)
  expect(await invoiced(former)).toBe(false)
  await sql`update payments set status = 'succeeded', settled_at = now() where id = ${transactions}`.execute(
    db,
  )
  expect(await invoiced(former)).toBe(true)
})

test('with nothing supposed a forecast says what the balance says', async () => {
  const shown = await profile()
  expect(shown).toMatchObject({ available: 20, daily_use: 2, exhaustion_date: '2026-03-20' })
  const { status, ...forecasted } = await forecast({})
  expect(status).toBe(200)
  expect(shown).toMatchObject(forecasted)
})

test.each([
  [{ pay: 10 }, { available: 30, daily_use: 2, exhaustion_date: '2026-03-25' }],
  [{ extra_daily: 2 }, { available: 20, daily_use: 4, exhaustion_date: '2026-03-15' }],
  [
    { pay: 0.1, extra_daily: 0.01 },
    { available: 20.1, daily_use: 2.01, exhaustion_date: '2026-03-20' },
  ],
  // Half of a millionth is one.
  [{ pay: 0.0000005 }, { available: 20.000001 }],
])('%j is added exactly', async (supposed, expected) => {
  expect(await forecast(supposed)).toMatchObject(expected)
})

test('a payment that covers a debt ends what the debt has begun, and one that does not only delays it', async () => {
  await movedBalance(pool, ana.id, '-25', '2026-03-04')
  const reached = ({ policy_timeline }: Forecast) =>
    policy_timeline.filter((one) => one.reached).map(({ step }) => step)
  expect(reached(await forecast({}))).toContain('negative')
  expect(reached(await forecast({ pay: 4.99 }))).toContain('negative')
  expect(reached(await forecast({ pay: 9 }))).not.toContain('negative')
  await movedBalance(pool, ana.id, '25', '2026-03-04')
})

test.each([[{ pay: -1 }], [{ pay: 1e7 }], [{ pay: '5' }], [{ extra_daily: null }], [{ other: 1 }]])(
  '%j is refused',
  async (payload) => {
    expect((await forecast(payload)).status).toBe(400)
  },
)

test('a forecast needs access to the account, and changes nothing', async () => {
  const before = await profile()
  expect((await forecast({ pay: 5 }, portal.as(stranger))).status).toBe(404)
  await forecast({ pay: 5, extra_daily: 5 })
  expect(await profile()).toEqual(before)
})

test('a profile names what the month close lacks, by the rule that refuses the document', async () => {
  await makeOperator(pool)
  const lacks = async (buyer: Parameters<typeof makeBuyer>[2]) => {
    await makeBuyer(pool, ana, buyer)
    const { billing_complete, billing_missing } = (await profile()) ?? {}
    const refused = await billedOf(pool.kysely, ana.id).then(
      () => [],
      (error: unknown) => (error instanceof Problems ? error.all.map(({ source }) => source) : error),
    )
    return [billing_complete, billing_missing, refused]
  }
  expect(await lacks({ county: 'RO-B', city: 'București' })).toEqual([
    true,
    ['sector'],
    [{ pointer: '/data/attributes/city' }],
  ])
  expect(await lacks({ county: 'RO-B', city: 'Sector 2' })).toEqual([true, [], []])
  expect(await lacks({ county: 'RO-CJ', city: ' ' })).toEqual([
    true,
    ['city'],
    [{ pointer: '/data/attributes/city' }],
  ])
  expect(await lacks({ county: 'RO-CJ', city: 'Cluj-Napoca' })).toEqual([true, [], []])
})
