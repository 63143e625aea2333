import { base } from '@portico/contract/wire.ts'
import { beforeEach, expect, test } from 'vitest'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, pay } from '#test/support/card.ts'
import { beginWithCard, disputesOn } from '#test/support/disputes.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'

// A part of a deposit comes back to the balance, and its payment is refunded again.

const parts = await stripePortal()
const { portal, stripe, deliver, workOff, paymentScope } = parts
const disputes = disputesOn(parts)
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let ana: Account
let admin: Visitor
let paid: Awaited<ReturnType<typeof disputes.payments>>[number]

/** A deposit by card. */
async function deposited(net: number) {
  await pay(portal.as(ana), { net })
  const payment = (await disputes.payments(ana.id)).at(-1)
  if (!payment) throw new Error('Nothing was paid.')
  return payment
}

beforeEach(async () => {
  ;({ ana, admin } = await beginWithCard(parts))
  paid = await deposited(50)
})

const on = (verb: string, input: object, id = paid.id) =>
  keyed(admin, `${base}/transactions/${id}/-actions/${verb}`, input)
const asked = (amount?: number, id = paid.id) =>
  on('refund', { reason: 'Leaves', iban, ...(amount && { amount }) }, id)
const sent = (refund_id: number, id = paid.id) =>
  on('recordSentTransfer', { refund_id, sent_on: '2026-10-03', reference: `OUT ${refund_id}` }, id)
const state = () => disputes.booksOf(ana.id)

/** A refund to a bank account that is sent; returns its net amount and that with VAT. */
async function refunded(amount?: number, id = paid.id) {
  const answer = await asked(amount, id)
  expect(answer.faults).toEqual([])
  const { refund_id, net, gross } = JSON.parse(answer.text)
  expect((await sent(refund_id, id)).faults).toEqual([])
  return { net, gross }
}

/** The refund to the card that was sent last comes back. */
async function cameBack(of = paid) {
  const refund = stripe.refunds(String(of.provider_ref)).at(-1)
  Object.assign(refund ?? {}, { status: 'failed', failure_reason: 'expired_card' })
  await deliver(stripe.event('refund.failed', { id: refund?.id, object: 'refund' }))
  await workOff()
}

test('a part whose refund came back is refunded after the rest of its deposit', async () => {
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves', amount: 20 })).text)
  await sendRefund(paymentScope, refund_id)
  await cameBack()
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50 })
  expect(await refunded()).toEqual({ net: 30, gross: 36.3 })
  expect(await refunded(5)).toEqual({ net: 5, gross: 6.05 })
  expect(await refunded()).toEqual({ net: 15, gross: 18.15 })
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, provider: 60.5 })
  expect((await asked()).faults).toEqual(['409 deposit_not_paid'])
})

test('a part that a dispute gave back is refunded after the rest of its deposit', async () => {
  await disputes.told('lost', 2420, paid)
  await disputes.told('won', 2420, paid)
  expect(await refunded()).toEqual({ net: 30, gross: 36.3 })
  expect(await refunded()).toEqual({ net: 20, gross: 24.2 })
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0 })
})

test('a payment is not refunded above what it was, where another one paid what went back of it', async () => {
  const { refund_id } = JSON.parse((await asked(20)).text)
  await disputes.told('lost', 6050, paid)
  // The transfer had been sent before, so it is a debt, which another deposit pays.
  expect((await sent(refund_id)).faults).toEqual([])
  await deposited(20)
  await setOffAllDebts(paymentScope)
  await disputes.told('won', 6050, paid)
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50, owed: 0 })
  expect((await asked(30.01)).faults).toEqual(['409 refund_most /data/amount'])
  expect(await refunded()).toEqual({ net: 30, gross: 36.3 })
  expect((await asked()).faults).toEqual(['409 deposit_not_paid'])
  expect(await state()).toMatchObject({ balance: 20, vat: 4.2, advances: 20 })
})

/** A bill of 16.00 and 3.36 VAT that a card pays, with more or alone, and that is credited to the card, which sends it back. */
async function billSentBack(wish: (invoice: number) => object) {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 16 }]
  const made = await keyed(admin, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines })
  const { invoice_id } = JSON.parse(made.text)
  expect((await pay(portal.as(ana), wish(invoice_id))).status).toBe(201)
  const payment = (await disputes.payments(ana.id)).at(-1) ?? paid
  const credited = await keyed(admin, `${base}/invoices/${invoice_id}/-actions/creditNote`, {
    reason: 'Wrong',
    to: 'card',
  })
  await sendRefund(paymentScope, JSON.parse(credited.text).refund_id)
  await cameBack(payment)
  return payment
}

test('the money of a credited bill that the card sent back is refunded to a bank account', async () => {
  const payment = await billSentBack((invoice_id) => ({ purpose: 'service_bill', invoice_id }))
  expect(await state()).toMatchObject({ balance: 66, vat: 13.86, advances: 66 })
  expect(await refunded(undefined, payment.id)).toEqual({ net: 16, gross: 19.36 })
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50 })
})

test('the money of a bill that the card sent back is refunded beside a deposit of the same payment', async () => {
  const payment = await billSentBack(() => ({ net: 40 }))
  expect(await state()).toMatchObject({ balance: 90, vat: 18.9, advances: 90 })
  const first = await refunded(undefined, payment.id)
  const second = await refunded(undefined, payment.id)
  expect([first, second]).toEqual([
    { net: 24, gross: 29.04 },
    { net: 16, gross: 19.36 },
  ])
  expect((await asked(undefined, payment.id)).faults).toEqual(['409 deposit_not_paid'])
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50 })
})

test('what a bank takes of such a payment is credited as far as it was not sent', async () => {
  const payment = await billSentBack(() => ({ net: 40 }))
  await refunded(10, payment.id)
  await refunded(undefined, payment.id)
  await refunded(6, payment.id)
  await disputes.told('lost', 4840, payment)
  // The 10 and 2.10 VAT that were not sent are credited; what was sent, 36.30, is a debt, which the other deposit pays.
  expect(await state()).toMatchObject({ owed: 0, balance: 20, vat: 4.2, advances: 20, debts: 1 })
})
