import { invoices } from '@portico/contract/resources/invoices.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, pay } from '#test/support/card.ts'
import { beginWithCard, disputesOn } from '#test/support/disputes.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'

// What credit notes of bills put on the balance is refunded later, from the payments that paid the bills.

const parts = await stripePortal()
const { portal, db, stripe, paymentScope } = parts
const disputes = disputesOn(parts)
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
const otherIban = 'DE89 3704 0044 0532 0130 00'
let ana: Account
let admin: Visitor

beforeEach(async () => {
  ;({ ana, admin } = await beginWithCard(parts, 2))
})

const on = (verb: string, input: object, id: number) =>
  keyed(admin, `${base}/transactions/${id}/-actions/${verb}`, input)
const credited = async (id: number, input: object = {}) => {
  const answer = await keyed(admin, `${base}/invoices/${id}/-actions/creditNote`, {
    reason: 'Wrong',
    ...input,
  })
  expect(answer.faults).toEqual([])
  return JSON.parse(answer.text)
}
const state = () => disputes.booksOf(ana.id)
const isRefundable = async (id: number) =>
  (await admin.get(`${base}/transactions/${id}`)).one.attributes?.is_refundable

/** The payment that was made last. */
async function paid(wish: object) {
  await pay(portal.as(ana), wish)
  const payment = (await disputes.payments(ana.id)).at(-1)
  if (!payment) throw new Error('Nothing was paid.')
  return payment
}

/** A manual invoice of $19.36. */
async function billed(): Promise<number> {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 16 }]
  const made = await keyed(admin, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines })
  return JSON.parse(made.text).invoice_id
}

async function billPaidByCard() {
  const bill = await billed()
  return { bill, payment: await paid({ purpose: 'service_bill', invoice_id: bill }) }
}

/** The bill of October for $20 on one panel and $30 on another, or other amounts, which deposits pay. */
async function billPaidAhead(amounts = ['20', '30']) {
  for (const [at, amount] of amounts.entries())
    await used(db, { ...ana, panels: [ana.panels[at] ?? 0] }, [`2026-10-0${at + 1}`], amount)
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  if (!bill) throw new Error('Nothing was billed.')
  return bill.id
}

const sent = (refund_id: number, id: number) =>
  on('recordSentTransfer', { refund_id, sent_on: '2026-11-02', reference: `OUT ${refund_id}` }, id)

/** The ways in which what was paid for a bill, or an amount of it, can go back. */
const waysOf = async (id: number, input: object = {}) => {
  const payload = encodeURIComponent(JSON.stringify(input))
  const { json } = await admin.get(`${base}/invoices/${id}/-actions/previewCredit?payload=${payload}`)
  return invoices.actions.previewCredit.output.parse(json).ways
}
const creditRefused = async (id: number, input: object) =>
  (await keyed(admin, `${base}/invoices/${id}/-actions/creditNote`, { reason: 'Wrong', ...input })).faults

/** Credits a bill, or an amount of it, to the card that has it; returns the payment. */
async function creditedToCard(id: number, input: object = {}): Promise<number | undefined> {
  const { refund_id } = await credited(id, { ...input, to: 'card' })
  await sendRefund(paymentScope, refund_id)
  const { rows } = await sql<{ id: number }>`
    select payment_id as id from payment_refunds where id = ${refund_id} and status = 'succeeded'`.execute(db)
  return rows[0]?.id
}

/** A refund to a bank account that is sent; returns its amount with VAT. */
async function refunded(id: number, amount?: number) {
  const answer = await on('refund', { reason: 'Leaves', iban, ...(amount && { amount }) }, id)
  expect(answer.faults).toEqual([])
  const { refund_id, gross } = JSON.parse(answer.text)
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  expect((await sent(refund_id, id)).faults).toEqual([])
  return gross
}

type Way = { readonly to?: 'card' | 'bank'; readonly iban?: string }
const ways: readonly (readonly [what: string, way: Way])[] = [
  ['was put on the balance', {}],
  ['was to be transferred to a wrong account', { to: 'bank', iban: otherIban }],
  ['the provider could not send to the card', { to: 'card' }],
]

test.each(ways)('the money of a credited bill that %s is refunded later', async (_, way) => {
  const { bill, payment } = await billPaidByCard()
  expect(await isRefundable(payment.id)).toBe(false)
  expect((await on('refund', { reason: 'Leaves', iban }, payment.id)).faults).toEqual([
    '409 deposit_not_paid',
  ])
  const { refund_id } = await credited(bill, way)
  expect(await isRefundable(payment.id)).toBe(refund_id === null)
  if (way.to === 'bank') await on('dropTransfer', { refund_id }, payment.id)
  if (way.to === 'card') {
    stripe.refundsAre = 'failed'
    await sendRefund(paymentScope, refund_id)
  }
  expect(await isRefundable(payment.id)).toBe(true)
  expect(await refunded(payment.id, 6)).toBe(7.26)
  expect(await isRefundable(payment.id)).toBe(true)
  expect(await refunded(payment.id)).toBe(12.1)
  expect(await isRefundable(payment.id)).toBe(false)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, provider: 19.36 })
})

test('a credited line of a month that a deposit paid ahead is refunded from the payment of that deposit', async () => {
  const payment = await paid({ net: 50 })
  const bill = await billPaidAhead()
  expect(await isRefundable(payment.id)).toBe(false)
  expect((await on('refund', { reason: 'Leaves', iban }, payment.id)).faults).toEqual([
    '409 insufficient_balance',
  ])
  await credited(bill, { lines: [1] })
  expect(await isRefundable(payment.id)).toBe(true)
  expect(await refunded(payment.id)).toBe(24.2)
  expect(await isRefundable(payment.id)).toBe(false)
  expect(await state()).toMatchObject({ balance: 0, vat: 6.3, advances: 0 })
})

test('a credited line of a month that a deposit paid ahead goes to the card of that deposit at once', async () => {
  const payment = await paid({ net: 50 })
  const bill = await billPaidAhead()
  const { refund_id } = await credited(bill, { lines: [1], to: 'card' })
  await sendRefund(paymentScope, refund_id)
  expect(stripe.refunds(String(payment.provider_ref))).toMatchObject([{ amount: 2420 }])
  expect(await state()).toMatchObject({ balance: 0, vat: 6.3, advances: 0, provider: 36.3 })
})

test('a credited line of a month that two deposits paid ahead goes back once, to no more than either payment has', async () => {
  const [first, other] = [await paid({ net: 10 }), await paid({ net: 40 })]
  const bill = await billPaidAhead()
  await credited(bill, { lines: [2] })
  expect(await state()).toMatchObject({ balance: 30 })
  const answer = await on('refund', { reason: 'Leaves', iban }, first.id)
  expect(answer.faults).toEqual([])
  expect(JSON.parse(answer.text)).toMatchObject({ net: 10, gross: 12.1 })
  expect(await isRefundable(other.id)).toBe(false)
  expect((await on('refund', { reason: 'Leaves', iban }, other.id)).faults).toEqual([
    '409 insufficient_balance',
  ])
  expect((await sent(JSON.parse(answer.text).refund_id, first.id)).faults).toEqual([])
  expect((await on('refund', { reason: 'Leaves', iban }, first.id)).faults).toEqual(['409 deposit_not_paid'])
  expect(await refunded(other.id)).toBe(24.2)
  expect(await state()).toMatchObject({ balance: 0, vat: 4.2, advances: 0 })
})

test('what a bank takes back after the money of a credited bill was refunded is a debt of the client', async () => {
  const { bill, payment } = await billPaidByCard()
  await credited(bill)
  expect(await refunded(payment.id, 6)).toBe(7.26)
  await disputes.told('lost', 1936, payment)
  expect(await state()).toMatchObject({ balance: -7.26, vat: 0, advances: 0 })
  await disputes.told('won', 1936, payment)
  expect(await state()).toMatchObject({ balance: 10, vat: 2.1, advances: 10 })
  expect(await refunded(payment.id)).toBe(12.1)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0 })
})

test('money that came back from a bank and paid another bill is refunded once that bill is credited', async () => {
  const { bill, payment } = await billPaidByCard()
  await disputes.told('lost', 1936, payment)
  await paid({ purpose: 'service_bill', invoice_id: bill })
  const other = await billed()
  await disputes.told('won', 1936, payment)
  expect(await state()).toMatchObject({ balance: 0, vat: 6.72, provider: 38.72 })
  expect(await isRefundable(payment.id)).toBe(false)
  await credited(other)
  expect(await isRefundable(payment.id)).toBe(true)
  expect(await refunded(payment.id)).toBe(19.36)
  expect(await state()).toMatchObject({ balance: 0, vat: 3.36, advances: 0 })
})

test('a bill of two payments goes back to each by what it has in it, and what else one of them has stays its own', async () => {
  const { bill, payment } = await billPaidByCard()
  await disputes.told('lost', 968, payment)
  const other = await paid({ purpose: 'service_bill', invoice_id: bill })
  await disputes.told('won', 968, payment)
  expect(await waysOf(bill)).toEqual(['balance'])
  expect(await creditRefused(bill, { to: 'card' })).toEqual(['409 credit_note_no_payment'])
  expect(await creditRefused(bill, { to: 'bank', iban })).toEqual(['409 credit_note_no_payment'])
  expect(await waysOf(bill, { net: 8 })).toEqual(['balance', 'card', 'bank'])
  expect(await creditedToCard(bill, { net: 8 })).toBe(other.id)
  expect(await creditedToCard(bill)).toBe(payment.id)
  expect(await state()).toMatchObject({ balance: 8, advances: 8, provider: 9.68 })
  expect(await refunded(payment.id)).toBe(9.68)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, debts: 0 })
})

test('a bill of two payments that was credited to the balance is refunded from both, after what one has besides', async () => {
  const { bill, payment } = await billPaidByCard()
  await disputes.told('lost', 968, payment)
  const other = await paid({ purpose: 'service_bill', invoice_id: bill })
  await disputes.told('won', 968, payment)
  await credited(bill)
  expect([await refunded(payment.id), await refunded(payment.id)]).toEqual([9.68, 9.68])
  expect(await refunded(other.id)).toBe(9.68)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, debts: 0 })
})

/** Records a transfer for a bill; returns its payment. */
async function wired(id: number, amount: number): Promise<number> {
  const wire = { amount, received_on: '2026-10-03', reference: `W ${id}` }
  const done = await keyed(admin, `${base}/invoices/${id}/-actions/recordBankTransfer`, wire)
  expect(done.faults).toEqual([])
  return JSON.parse(done.text).transaction_id
}

/** A card that paid a bill whole and half of another, whose other half a transfer paid. */
async function halfPaidByCard() {
  const [first, second] = [await billed(), await billed()]
  const wire = await wired(second, 9.68)
  return { first, second, wire, card: await paid({ net: 24 }) }
}

test('a card that paid a bill and a part of another gives back no more than that part for the other', async () => {
  const { first, second, card } = await halfPaidByCard()
  expect(await waysOf(second)).toEqual(['balance'])
  expect(await creditRefused(second, { to: 'card' })).toEqual(['409 credit_note_no_payment'])
  expect(await creditedToCard(second, { net: 8 })).toBe(card.id)
  // The transfer has the rest.
  expect(await waysOf(second)).toEqual(['balance', 'bank'])
  expect(await creditRefused(second, { to: 'card' })).toEqual(['409 credit_note_no_payment'])
  expect(await creditedToCard(first)).toBe(card.id)
  await credited(second, { to: 'bank', iban })
  expect(await isRefundable(card.id)).toBe(false)
})

test('a card that paid half of a credited bill is refunded no more than that half, and the transfer the other half', async () => {
  const { first, second, card, wire } = await halfPaidByCard()
  await credited(second)
  const tooMuch = await on('refund', { reason: 'Leaves', iban, amount: 8.01 }, card.id)
  expect(tooMuch.faults).toEqual(['409 refund_most /data/amount'])
  expect(tooMuch.errors[0]?.detail).toContain('8.00 USD')
  expect(await refunded(card.id)).toBe(9.68)
  expect(await isRefundable(card.id)).toBe(false)
  expect((await on('refund', { reason: 'Leaves', iban }, card.id)).faults).toEqual([
    '409 insufficient_balance',
  ])
  expect(await refunded(wire)).toBe(9.68)
  await credited(first)
  expect(await refunded(card.id)).toBe(19.36)
  expect(await isRefundable(wire)).toBe(false)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, debts: 0 })
})

test('what a month used of such a credited bill is refunded to no more than what each payment has in the bill', async () => {
  const { first, second, card, wire } = await halfPaidByCard()
  await credited(second)
  const month = await billPaidAhead(['12', '4'])
  for (const id of [card.id, wire]) expect(await isRefundable(id)).toBe(false)
  await credited(month, { lines: [1] })
  expect(await refunded(card.id)).toBe(9.68)
  expect(await isRefundable(card.id)).toBe(false)
  expect(await refunded(wire)).toBe(4.84)
  await credited(first)
  expect(await refunded(card.id)).toBe(19.36)
  expect(await state()).toMatchObject({ balance: 0, vat: 0.84, advances: 0, debts: 0 })
})

test('a deposit that a month used and gave back is refunded to its card, and the rest of the bill to the transfer that paid it', async () => {
  const first = await billed()
  const card = await paid({ net: 26 })
  const month = await billPaidAhead()
  const wire = await wired(month, 48.4)
  await credited(month)
  expect(await refunded(card.id)).toBe(12.1)
  expect(await isRefundable(card.id)).toBe(false)
  expect(await refunded(wire)).toBe(48.4)
  await credited(first)
  expect(await refunded(card.id)).toBe(19.36)
  expect(await state()).toMatchObject({ balance: 0, vat: 0, advances: 0, debts: 0 })
})

test('all lines of a month that a deposit paid ahead go to its card, also where VAT of used and unused rounds up', async () => {
  const payment = await paid({ net: 10.02 })
  const bill = await billPaidAhead(['0.16', '0.20'])
  for (const line of [1, 2]) expect(await creditedToCard(bill, { lines: [line] })).toBe(payment.id)
  expect(await state()).toMatchObject({ balance: 9.66, vat: 2.02, advances: 9.66, provider: 11.68 })
})

/** The bill of October for $5, or another amount, of a client who moved out of the EU: the credit note of the same month deducts what deposits paid. */
async function billOfMoved(amount = '5') {
  await makeBuyer(portal.pool, ana, { country: 'US', company: false })
  return billPaidAhead([amount])
}

test('a bill that the credit note of its month paid is refunded from the payment of the deducted deposit', async () => {
  const payment = await paid({ net: 5 })
  const bill = await billOfMoved()
  expect(await isRefundable(payment.id)).toBe(false)
  await credited(bill)
  expect(await refunded(payment.id)).toBe(5)
  expect(await isRefundable(payment.id)).toBe(false)
  // The VAT of the deposit is on the balance.
  expect(await state()).toMatchObject({ balance: 1.05, vat: 0, advances: 1.05, provider: 6.05 })
})

test('a bill that the credit note of its month paid goes to the cards of the deducted deposits, to no more than their share', async () => {
  const [first, other] = [await paid({ net: 5 }), await paid({ net: 10 })]
  const bill = await billOfMoved('15')
  expect(await waysOf(bill)).toEqual(['balance'])
  expect(await waysOf(bill, { net: 10.01 })).toEqual(['balance'])
  expect(await creditedToCard(bill, { net: 10 })).toBe(other.id)
  expect(await creditedToCard(bill)).toBe(first.id)
  expect(await state()).toMatchObject({ balance: 3.15, vat: 0, advances: 3.15, provider: 3.15 })
})
