import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A company in Germany pays with VAT, its number turns out valid, and its bank takes the payment back.

const parts = await stripePortal()
const { portal, db, addCard } = parts
const disputes = disputesOn(parts)
let anna: Account
let admin: Visitor

beforeEach(async () => {
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  await newSeries(portal.pool)
  anna = await makePayer(portal, '0', { country: 'DE', vatNumber: 'DE136695976' })
  await addCard(anna)
  admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
})

/** Reissues a deposit of the client, whose VAT number has been found valid. */
async function reissue(deposit: number) {
  await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
    values (${anna.id}, 'DE136695976', 'valid', 'test', clock_now())`.execute(db)
  return keyed(admin, `${base}/invoices/${deposit}/-actions/storno`, { reason: 'The number is valid' })
}

/** A manual invoice of 16 and 3.04 VAT that a card paid, of which 6 and 1.14 were credited: a deposit now. */
async function creditedBill(): Promise<number> {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 16 }]
  const made = await keyed(admin, `${base}/desk-clients/${anna.id}/-actions/manualInvoice`, { lines })
  const { invoice_id } = JSON.parse(made.text)
  await pay(portal.as(anna), { purpose: 'service_bill', invoice_id })
  const credited = await keyed(admin, `${base}/invoices/${invoice_id}/-actions/creditNote`, {
    reason: 'Too much',
    net: 6,
  })
  return JSON.parse(credited.text).deposit_id
}

/** The bank's word about the client's first payment. */
async function told(status: 'needs_response' | 'lost' | 'won', amount: number) {
  const [payment] = await disputes.payments(anna.id)
  if (!payment) throw new Error('Nothing was paid.')
  await disputes.told(status, amount, payment)
}

const state = () => disputes.booksOf(anna.id)

test('the deposit of a credited bill is not reissued while the payment of the bill is disputed', async () => {
  const deposit = await creditedBill()
  await told('needs_response', 1904)
  expect((await reissue(deposit)).faults).toEqual(['409 storno_disputed'])
  await told('won', 1904)
  expect((await reissue(deposit)).faults).toEqual([])
})

test('a reissued deposit of a credited bill is lost before the bill is open again', async () => {
  const deposit = await creditedBill()
  expect(await state()).toMatchObject({ balance: 6, vat: 3.04, advances: 6 })
  const { invoice_id } = JSON.parse((await reissue(deposit)).text)
  const kept = { balance: 7.14, vat_due: 0, vat: 1.9, advances: 7.14, debts: 0, alerts: 0 }
  expect(await state()).toMatchObject(kept)
  const shown = await portal.as(anna).get(`${base}/invoices/${invoice_id}`)
  expect(shown.one.attributes?.total).toBe(7.14)
  for (let round = 0; round < 2; round++) {
    await told('lost', 1904)
    expect(await state()).toMatchObject({
      balance: -10,
      vat_due: -1.9,
      vat: 1.9,
      advances: 0,
      debts: 0,
      alerts: 0,
    })
    await told('won', 1904)
    expect(await state()).toMatchObject(kept)
  }
})

test('what was used of a deposit before its rest was reissued is on the next bill when it is lost', async () => {
  await pay(portal.as(anna), { net: 50 })
  await used(db, anna, ['2026-10-03'], '20')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  await db.transaction().execute((tx) => closeMonth(tx, anna.id, month))
  const { advance_invoice_id: deposit } = await db
    .selectFrom('payments')
    .select('advance_invoice_id')
    .where('client_id', '=', anna.id)
    .executeTakeFirstOrThrow()
  expect((await reissue(deposit ?? 0)).faults).toEqual([])
  const kept = { balance: 35.7, vat_due: 0, vat: 3.8, advances: 35.7, debts: 0, alerts: 0 }
  expect(await state()).toMatchObject(kept)
  await told('lost', 5950)
  expect(await state()).toMatchObject({
    balance: -20,
    vat_due: -3.8,
    vat: 3.8,
    advances: 0,
    debts: 0,
    alerts: 0,
  })
  await told('won', 5950)
  expect(await state()).toMatchObject(kept)
})
