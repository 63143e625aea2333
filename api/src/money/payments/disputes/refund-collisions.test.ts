import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A refund is asked for, and its payment or its deposit changes before the provider says that it went.

const { portal, db, stripe, addCard, deliver, workOff, paymentScope } = await stripePortal()
let ana: Account
let admin: Visitor
let payment: { id: number; provider_ref: string | null }

/** A deposit of 50 and VAT by card. */
beforeEach(async () => {
  stripe.refundsAre = 'succeeded'
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  await newSeries(portal.pool)
  ana = await makePayer(portal)
  await addCard(ana)
  admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
  await pay(portal.as(ana), { net: 50 })
  payment = await db
    .selectFrom('payments')
    .select(['id', 'provider_ref'])
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
})

async function askRefund(): Promise<number> {
  const url = `${base}/transactions/${payment.id}/-actions/refund`
  return JSON.parse((await keyed(admin, url, { data: { reason: 'Wish' } })).text).refund_id
}

async function told(status: 'needs_response' | 'lost', amount = 6050): Promise<void> {
  const about = { object: 'dispute', payment_intent: payment.provider_ref, currency: 'usd' }
  const id = `dp_${payment.id}`
  stripe.things.set(id, { id, ...about, amount, status, balance_transactions: [] })
  await deliver(stripe.event('charge.dispute.updated', { id }))
  await workOff()
}

/** The bank lets refunds go that Stripe had begun. */
async function went(refundId: number): Promise<void> {
  for (const thing of stripe.things.values()) if (thing.object === 'refund') thing.status = 'succeeded'
  await sendRefund(paymentScope, refundId)
}

async function state() {
  const { rows } = await sql<
    Record<string, unknown>
  >`select r.status as refund, r.failure_code as failure, p.status as payment,
      (select sum(balance)::float from ledger_accounts where client_id = ${ana.id} and kind = 'client_balance') as balance,
      (select sum(e.amount)::float from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        join ledger_accounts a on a.id = e.account_id and a.kind = 'vat_payable' where t.client_id = ${ana.id}) as vat,
      (select sum(vat)::float from invoices where client_id = ${ana.id} and kind <> 'proforma') as documents
    from payment_refunds r join payments p on p.id = r.payment_id where p.id = ${payment.id}`.execute(db)
  return rows[0]
}

const alerts = async () => {
  const { rows } = await sql<{ kind: string }>`select kind from staff_alerts
    where about = ${`payment ${payment.id}`} and kind <> 'disputed'`.execute(db)
  return rows.map(({ kind }) => kind)
}

test.each(['needs_response', 'lost'] as const)(
  'a refund that was not sent yet is not sent once its payment is disputed (%s)',
  async (status) => {
    const id = await askRefund()
    await told(status)
    await sendRefund(paymentScope, id)
    expect(stripe.refunds(String(payment.provider_ref))).toEqual([])
    expect(await state()).toMatchObject({
      refund: 'failed',
      failure: 'payment_disputed',
      payment: 'disputed',
    })
    expect(await alerts()).toEqual([])
  },
)

test('a refund whose answer was lost is found although its payment is disputed meanwhile', async () => {
  const id = await askRefund()
  stripe.failNext(/POST .*refunds/, 'reset_after', 'reset_after', 'reset_after')
  await expect(sendRefund(paymentScope, id)).rejects.toThrow()
  await told('needs_response')
  await sendRefund(paymentScope, id)
  expect(await state()).toMatchObject({ refund: 'succeeded', payment: 'refunded', balance: 0, vat: 0 })
})

test('money that went twice, by a refund and a lost dispute, is a debt, and staff are alerted', async () => {
  stripe.refundsAre = 'pending'
  const id = await askRefund()
  await sendRefund(paymentScope, id)
  await told('lost')
  expect(await state()).toMatchObject({ refund: 'pending', balance: 0, vat: 0 })
  await went(id)
  expect(await state()).toEqual({
    refund: 'succeeded',
    failure: null,
    payment: 'refunded',
    balance: -60.5,
    vat: 0,
    documents: 0,
  })
  expect(await alerts()).toEqual(['dispute_debt'])
  // The bank sends the refund back after all.
  for (const thing of stripe.things.values())
    if (thing.object === 'refund')
      Object.assign(thing, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
  const [refund] = stripe.refunds(String(payment.provider_ref))
  await deliver(stripe.event('refund.failed', { id: refund?.id, object: 'refund' }))
  await workOff()
  expect(await state()).toMatchObject({ refund: 'failed', balance: 0, vat: 0 })
})

test('of a refund that a lost dispute left a part of, that part is credited, and the rest a debt', async () => {
  stripe.refundsAre = 'pending'
  const id = await askRefund()
  await sendRefund(paymentScope, id)
  await told('lost', 2420)
  await went(id)
  expect(await state()).toMatchObject({ refund: 'succeeded', balance: -24.2, vat: 0, documents: 0 })
  expect(await alerts()).toEqual(['dispute_debt'])
})

test('a month that closes while a refund is on its way uses other deposits, and the refund is booked', async () => {
  await pay(portal.as(ana), { net: 50 })
  await used(db, ana, ['2026-10-03'], '40')
  stripe.refundsAre = 'pending'
  const id = await askRefund()
  await sendRefund(paymentScope, id)
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  expect(bill?.total).toBe('0.00')
  await went(id)
  expect(await state()).toMatchObject({ refund: 'succeeded', balance: 10, vat: 10.5, documents: 10.5 })
  expect(await alerts()).toEqual([])
})

test('a month that closes asks for use that only a refunded deposit would cover', async () => {
  stripe.refundsAre = 'pending'
  const id = await askRefund()
  await sendRefund(paymentScope, id)
  await used(db, ana, ['2026-10-03'], '20')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  expect(bill?.total).toBe('24.20')
  await went(id)
  expect(await state()).toMatchObject({ refund: 'succeeded', balance: -20, vat: 4.2, documents: 4.2 })
})

test('a deposit of a credit note that is being paid back is not corrected meanwhile', async () => {
  await makeBuyer(portal.pool, ana, { country: 'DE' })
  await sql`update client_entities set company_name = null, account_type = 2 where client_id = ${ana.id}`.execute(
    db,
  )
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 20 }]
  const made = await keyed(admin, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, {
    data: { lines },
  })
  const { invoice_id } = JSON.parse(made.text)
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id })
  const credited = await keyed(admin, `${base}/invoices/${invoice_id}/-actions/creditNote`, {
    data: { reason: 'Wrong', to: 'card' },
  })
  const { deposit_id } = JSON.parse(credited.text)
  const corrected = await keyed(admin, `${base}/invoices/${deposit_id}/-actions/storno`, {
    data: { reason: 'VAT number' },
  })
  expect(corrected.errors[0]?.code).toBe('refund_pending')
})
