import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { clientStatus } from '#reference/client-status.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { makeBuyer, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// What a card paid is sent to a bank account, and the bank of the card takes the payment back as well.

const parts = await stripePortal()
const { portal, db, stripe, addCard, deliver, workOff, paymentScope } = parts
const disputes = disputesOn(parts)
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let ana: Account
let admin: Visitor
let paid: { id: number; provider_ref: string | null }

const payments = () => disputes.payments(ana.id)

/** A deposit of 50 and 10.50 VAT by card. */
beforeEach(async () => {
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  await newSeries(portal.pool)
  ana = await makePayer(portal)
  await makeBuyer(portal.pool, ana, { country: 'RO' })
  await addCard(ana)
  admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
  await pay(portal.as(ana), { net: 50 })
  const [first] = await payments()
  if (!first) throw new Error('Nothing was paid.')
  paid = first
})

const on = (verb: string, input: object, id = paid.id) =>
  keyed(admin, `${base}/transactions/${id}/-actions/${verb}`, input)

async function asked(amount?: number): Promise<number> {
  const answer = await on('refund', { reason: 'Card is gone', iban, ...(amount && { amount }) })
  return JSON.parse(answer.text).refund_id
}

const sent = (refund_id: number) =>
  on('recordSentTransfer', { refund_id, sent_on: '2026-10-03', reference: `OUT ${refund_id}` })

const told = (status: 'needs_response' | 'lost' | 'won', amount = 6050, of = paid, name = '') =>
  disputes.told(status, amount, of, name)
const state = () => disputes.booksOf(ana.id)
const alerts = (id = paid.id) => disputes.alertsOf(id)

const nothing = { balance: 0, vat_due: 0, vat: 0, advances: 0 }

test('what was sent to a bank account and is charged back is a debt without VAT, until the dispute is won', async () => {
  await sent(await asked())
  for (let round = 0; round < 2; round++) {
    await told('lost')
    expect(await state()).toMatchObject({ ...nothing, balance: -60.5, provider: 0 })
    expect(await alerts()).toEqual(['dispute_debt'])
    await told('won')
    expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
    expect(await alerts()).toEqual([])
  }
})

test('of a deposit that was sent back in two parts and used in another, each part is lost by itself', async () => {
  await sent(await asked(10))
  await sent(await asked(5))
  await used(db, ana, ['2026-10-03'], '20')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  expect(await state()).toMatchObject({ balance: 15, vat: 7.35, advances: 15 })
  await told('lost')
  // The unused 15 are credited, the used 20 wait for the next bill, and 18.15 were sent.
  expect(await state()).toMatchObject({
    balance: -38.15,
    vat_due: -4.2,
    vat: 4.2,
    advances: 0,
    provider: 0,
  })
  await told('won')
  expect(await state()).toMatchObject({
    balance: 15,
    vat_due: 0,
    vat: 7.35,
    advances: 15,
    provider: 60.5,
  })
  await told('lost')
  expect(await state()).toMatchObject({ balance: -38.15, vat_due: -4.2, vat: 4.2, advances: 0 })
})

test('a used part that was lost sets off no debt after the bill that had used it was credited', async () => {
  await sent(await asked(10))
  await used(db, ana, ['2026-10-03'], '20')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const close = (from: string, until: string) =>
    db.transaction().execute((tx) => closeMonth(tx, ana.id, { from, until }))
  const bill = await close('2026-10-01', '2026-11-01')
  await told('lost')
  await keyed(admin, `${base}/invoices/${bill?.id}/-actions/creditNote`, { reason: 'Wrong' })
  await setOffAllDebts(paymentScope)
  // The debt is the 12.10 that were sent; the bank has the 24.20, whose VAT the next bill gives back.
  expect(await state()).toMatchObject({ balance: -12.1, vat_due: -4.2, vat: 4.2 })
  await businessTime(portal.pool, '2026-12-02T10:00:00Z')
  const second = await close('2026-11-01', '2026-12-01')
  // The debt asks for the 12.10, so the bill does not.
  expect(Number(second?.total)).toBe(0)
  expect(await state()).toMatchObject({ balance: -12.1, vat_due: 0, owed: 12.1, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ balance: 40, vat_due: 0, vat: 8.4, advances: 40, provider: 60.5 })
})

test('a dispute takes what is there before it makes a debt, and never more than was paid', async () => {
  await sent(await asked(30))
  await told('lost', 3000, paid, 'a')
  expect(await state()).toMatchObject({ ...nothing, balance: -5.8, provider: 30.5 })
  await told('lost', 3050, paid, 'b')
  expect(await state()).toMatchObject({ ...nothing, balance: -36.3, provider: 0 })
  await told('lost', 1, paid, 'c')
  expect(await state()).toMatchObject({ ...nothing, balance: -36.3, provider: 0 })
  expect(await alerts()).toEqual(['dispute_debt', 'dispute_differs'])
  await told('won', 3000, paid, 'a')
  // What was credited, 24.20, is a deposit again, and pays the debt of the other dispute.
  expect(await state()).toMatchObject({ ...nothing, balance: -6.3, provider: 30 })
})

test('a deposit pays the debt with its VAT, and a dispute that is won gives the deposit back', async () => {
  await sent(await asked())
  await told('lost')
  await pay(portal.as(ana), { net: 50 })
  await setOffAllDebts(paymentScope)
  await setOffAllDebts(paymentScope)
  expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
  expect(await alerts()).toEqual([])
  await told('won')
  expect(await state()).toMatchObject({ balance: 50, vat_due: 0, vat: 10.5, advances: 50, provider: 121 })
  // The deposit that came back is refundable, by its own payment.
  const [, second] = await payments()
  expect((await on('refund', { reason: 'Leaves', iban }, second?.id)).status).toBe(200)
})

test('a part of the debt is paid, and what is above the debt stays a deposit', async () => {
  await sent(await asked())
  await told('lost')
  await pay(portal.as(ana), { net: 20 })
  await setOffAllDebts(paymentScope)
  expect(await state()).toMatchObject({ ...nothing, balance: -36.3 })
  await pay(portal.as(ana), { net: 40 })
  await setOffAllDebts(paymentScope)
  expect(await state()).toMatchObject({ balance: 10, vat: 2.1, advances: 10 })
})

test('a deposit that paid a debt is a debt again when its bank takes it back, until one of both is won', async () => {
  await sent(await asked())
  await told('lost')
  await pay(portal.as(ana), { net: 50 })
  await setOffAllDebts(paymentScope)
  const [, second] = await payments()
  await told('lost', 6050, second)
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
  await told('won', 6050, second)
  expect(await state()).toMatchObject({ balance: 50, vat: 10.5, advances: 50, provider: 121 })
})

/** A manual invoice of 16 and 3.36 VAT that a card paid. */
async function paidBill() {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 16 }]
  const made = await keyed(admin, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines })
  const { invoice_id } = JSON.parse(made.text)
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id })
  const payment = (await payments()).at(-1)
  if (!payment) throw new Error('Nothing was paid.')
  const credit = async (input: object) => {
    const answer = await keyed(admin, `${base}/invoices/${invoice_id}/-actions/creditNote`, {
      reason: 'Wrong',
      ...input,
    })
    return JSON.parse(answer.text) as { refund_id: number; deposit_id: number }
  }
  return { bill: invoice_id as number, payment, credit }
}

test('of a credited bill whose money was sent, what still counts is open again, and the rest a debt', async () => {
  const { payment, credit } = await paidBill()
  const { refund_id } = await credit({ net: 6, to: 'bank', iban })
  await on('recordSentTransfer', { refund_id, sent_on: '2026-10-03', reference: 'OUT' }, payment.id)
  const kept = { balance: 50, vat_due: 0, vat: 12.6, advances: 50 }
  expect(await state()).toMatchObject(kept)
  for (let round = 0; round < 2; round++) {
    await told('lost', 1936, payment)
    // The bill asks for 12.10, and the 7.26 that were sent are taken from the deposit: 6 and 1.26 VAT.
    expect(await state()).toMatchObject({ balance: 34, vat_due: -2.1, vat: 11.34, advances: 44 })
    await told('won', 1936, payment)
    expect(await state()).toMatchObject(kept)
  }
  expect(await alerts(payment.id)).toEqual([])
})

test('what was written off of a credited bill is no payment of it that a second dispute could take', async () => {
  const { bill, payment, credit } = await paidBill()
  await credit({ net: 8 })
  await used(db, ana, ['2026-10-03'], '58')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  await db.transaction().execute((tx) => closeMonth(tx, ana.id, { from: '2026-10-01', until: '2026-11-01' }))
  await told('lost', 968, payment, 'a')
  await keyed(admin, `${base}/invoices/${bill}/-actions/writeOff`, {})
  expect(await state()).toMatchObject({ balance: 0, vat_due: 0, provider: 70.18 })
  for (let round = 0; round < 2; round++) {
    // What is lost is the deposit of the credit note, which was used.
    await told('lost', 968, payment, 'b')
    expect(await state()).toMatchObject({ balance: -8, vat_due: -1.68, vat: 13.86, provider: 60.5 })
    await told('won', 968, payment, 'b')
    expect(await state()).toMatchObject({ balance: 0, vat_due: 0, vat: 13.86, provider: 70.18 })
  }
})

const kept = { balance: 50, vat_due: 0, vat: 10.5, advances: 50, provider: 60.5 }

test.each(['needs_response', 'lost'] as const)(
  'a transfer that is due is dropped when its payment is disputed (%s)',
  async (status) => {
    const id = await asked()
    expect(await alerts()).toEqual([`transfer_due_${id}`])
    await told(status)
    expect(await alerts()).toEqual([])
    expect((await on('dropTransfer', { refund_id: id })).faults).toEqual(['409 transfer_not_due'])
    const { one } = await portal.as(ana).get(`${base}/transactions/${paid.id}`)
    expect(one.attributes?.refunds).toMatchObject([{ status: 'failed', failure_code: 'payment_disputed' }])
    await told('lost')
    expect(await state()).toMatchObject({ ...nothing, provider: 0 })
    await told('won')
    expect(await state()).toMatchObject(kept)
    await sent(await asked())
    expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
    expect((await sent(id)).faults).toEqual(['409 transfer_above_payment'])
  },
)

test.each(['needs_response', 'lost'] as const)(
  'a transfer that was sent before its payment was disputed (%s) is recorded later, and is a debt once that is lost',
  async (status) => {
    const id = await asked()
    await told(status)
    expect((await sent(id)).faults).toEqual([])
    expect((await sent(id)).faults).toEqual(['409 transfer_not_due'])
    await told('lost')
    expect(await state()).toMatchObject({ ...nothing, balance: -60.5, provider: 0 })
    expect(await alerts()).toEqual(['dispute_debt'])
    await told('won')
    expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
    expect(await alerts()).toEqual([])
  },
)

test('a transfer that a dispute dropped is not recorded beside a refund that is under way', async () => {
  const id = await asked()
  await told('needs_response')
  await told('won')
  const begun = await on('refund', { reason: 'The card is back' })
  expect(begun.faults).toEqual([])
  expect((await sent(id)).faults).toEqual(['409 transfer_above_payment'])
  await sendRefund(paymentScope, JSON.parse(begun.text).refund_id)
  expect(await state()).toMatchObject({ ...nothing, provider: 0 })
  expect((await sent(id)).faults).toEqual(['409 transfer_above_payment'])
})

test('a transfer that is recorded while its payment is lost is a debt', async () => {
  const id = await asked(20)
  const [recorded] = await Promise.all([sent(id), told('lost')])
  expect(recorded.faults).toEqual([])
  expect(await state()).toMatchObject({ ...nothing, balance: -24.2, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ ...kept, balance: 30, vat: 6.3, advances: 30 })
})

test('the money of a credited bill that was due as a transfer is refunded after the dispute is won', async () => {
  const { payment, credit } = await paidBill()
  const { refund_id } = await credit({ to: 'bank', iban })
  await told('lost', 1936, payment)
  expect(await state()).toMatchObject({ ...kept, provider: 60.5 })
  await told('won', 1936, payment)
  expect(await state()).toMatchObject({ ...kept, balance: 66, vat: 13.86, advances: 66, provider: 79.86 })
  const out = { sent_on: '2026-10-03', reference: 'OUT' }
  const again = JSON.parse((await on('refund', { reason: 'Card is gone', iban }, payment.id)).text)
  await on('recordSentTransfer', { refund_id: again.refund_id, ...out }, payment.id)
  expect(await state()).toMatchObject({ ...kept, provider: 79.86 })
  const late = await on('recordSentTransfer', { refund_id, ...out }, payment.id)
  expect(late.faults).toEqual(['409 transfer_above_payment'])
})

/** The bank lets refunds go that Stripe had begun. */
async function went(refundId: number): Promise<void> {
  for (const thing of stripe.things.values()) if (thing.object === 'refund') thing.status = 'succeeded'
  await sendRefund(paymentScope, refundId)
}

test.each([
  ['lost, won and then sent', ['lost', 'won', 'sent'], 1936],
  ['lost, sent and then won', ['lost', 'sent', 'won'], 1936],
  ['lost in a part, won and then sent', ['lost', 'won', 'sent'], 1000],
  ['lost in a part, sent and then won', ['lost', 'sent', 'won'], 1000],
] as const)(
  'a refund to the card that had begun is credited once when it is %s',
  async (_, order, amount) => {
    await sent(await asked())
    const { payment, credit } = await paidBill()
    stripe.refundsAre = 'pending'
    const { refund_id } = await credit({ to: 'card' })
    await sendRefund(paymentScope, refund_id)
    stripe.refundsAre = 'succeeded'
    for (const step of order) await (step === 'sent' ? went(refund_id) : told(step, amount, payment))
    expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
    expect(await alerts(payment.id)).toEqual([])
    const { rows } = await sql<{ credited: string }>`select sum(total)::text as credited from invoices
    where client_id = ${ana.id} and kind <> 'proforma'`.execute(db)
    expect(rows).toEqual([{ credited: '0.00' }])
  },
)

test.each(['lost, won', 'lost'] as const)(
  'a refund to the card that the dispute had taken (%s) comes back as a deposit when the card sends it back',
  async (ends) => {
    stripe.refundsAre = 'pending'
    const answer = await on('refund', { reason: 'Leaves' })
    const { refund_id } = JSON.parse(answer.text)
    await sendRefund(paymentScope, refund_id)
    stripe.refundsAre = 'succeeded'
    await told('lost')
    await went(refund_id)
    expect(await state()).toMatchObject({ ...nothing, balance: -60.5, provider: -60.5 })
    if (ends === 'lost, won') await told('won')
    for (const thing of stripe.things.values())
      if (thing.object === 'refund')
        Object.assign(thing, { status: 'failed', failure_reason: 'expired_card' })
    const [refund] = stripe.refunds(String(paid.provider_ref))
    await deliver(stripe.event('refund.failed', { id: refund?.id, object: 'refund' }))
    await workOff()
    expect(await state()).toMatchObject(ends === 'lost' ? { ...nothing, provider: 0 } : kept)
    await told(ends === 'lost' ? 'won' : 'lost')
    expect(await state()).toMatchObject(ends === 'lost' ? kept : { ...nothing, provider: 0 })
  },
)

test('a refund that is sent takes no used part that was lost, after the bill that had used it was credited', async () => {
  await used(db, ana, ['2026-10-03'], '20')
  await businessTime(portal.pool, '2026-11-02T10:00:00Z')
  const close = (from: string, until: string) =>
    db.transaction().execute((tx) => closeMonth(tx, ana.id, { from, until }))
  const bill = await close('2026-10-01', '2026-11-01')
  stripe.refundsAre = 'pending'
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves' })).text)
  await sendRefund(paymentScope, refund_id)
  stripe.refundsAre = 'succeeded'
  await told('lost')
  await keyed(admin, `${base}/invoices/${bill?.id}/-actions/creditNote`, { reason: 'Wrong' })
  await went(refund_id)
  // The 36.30 that were sent are a debt, since the bank has the whole deposit.
  expect(await state()).toMatchObject({ balance: -36.3, vat_due: -4.2, vat: 4.2, provider: -36.3 })
  await businessTime(portal.pool, '2026-12-02T10:00:00Z')
  const second = await close('2026-11-01', '2026-12-01')
  // The debt asks for all that is owed, so the bill asks for nothing.
  expect(Number(second?.total)).toBe(0)
  expect(await state()).toMatchObject({ balance: -36.3, vat_due: 0, vat: 0, owed: 36.3, provider: -36.3 })
  await told('won')
  expect(await state()).toMatchObject({
    balance: 20,
    vat_due: 0,
    vat: 4.2,
    advances: 20,
    owed: 0,
    provider: 24.2,
  })
})

test('a refund that a lost part left whole, but for a cent between net and VAT, is no debt', async () => {
  await pay(portal.as(ana), { net: 10.01 })
  const [, second] = await payments()
  stripe.refundsAre = 'pending'
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves', amount: 0.03 }, second?.id)).text)
  await sendRefund(paymentScope, refund_id)
  stripe.refundsAre = 'succeeded'
  // Of 12.11, all but the 0.03 of the refund, which had no VAT: 9.99 net are lost, and 0.02 and 0.01 VAT left.
  await told('lost', 1208, second)
  await went(refund_id)
  expect(await state()).toMatchObject({ ...kept, provider: 60.5 })
  expect(await alerts(second?.id)).toEqual([])
})

test('a refund that comes back gives another payment the deposit that paid its debt, which stays that of the other', async () => {
  stripe.refundsAre = 'pending'
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves' })).text)
  await sendRefund(paymentScope, refund_id)
  stripe.refundsAre = 'succeeded'
  await told('lost')
  await went(refund_id)
  await pay(portal.as(ana), { net: 50 })
  await setOffAllDebts(paymentScope)
  expect(await state()).toMatchObject({ ...nothing, provider: 0 })
  for (const thing of stripe.things.values())
    if (thing.object === 'refund') Object.assign(thing, { status: 'failed', failure_reason: 'expired_card' })
  const [refund] = stripe.refunds(String(paid.provider_ref))
  await deliver(stripe.event('refund.failed', { id: refund?.id, object: 'refund' }))
  await workOff()
  expect(await state()).toMatchObject(kept)
  await told('won')
  expect(await state()).toMatchObject({ ...kept, balance: 100, vat: 21, advances: 100, provider: 121 })
  // Each payment is refunded from its own deposit.
  const both = await payments()
  for (const { id } of both) expect((await on('refund', { reason: 'Leaves', iban }, id)).status).toBe(200)
})

test('a closed account owes what its bank takes back after the deposit was sent', async () => {
  await sent(await asked())
  await sql`update clients set status = ${clientStatus.closed}, closed_at = now() where id = ${ana.id}`.execute(
    db,
  )
  await told('lost')
  expect(await state()).toMatchObject({ ...nothing, balance: -60.5, provider: 0 })
  expect(await alerts()).toEqual(['dispute_debt'])
  await told('won')
  expect(await state()).toMatchObject({ ...nothing, provider: 60.5 })
})

test('an open dispute stays one when a part that the card had got is known, so nothing more is refunded', async () => {
  stripe.refundsAre = 'pending'
  const { refund_id } = JSON.parse((await on('refund', { reason: 'Leaves', amount: 10 })).text)
  await sendRefund(paymentScope, refund_id)
  stripe.refundsAre = 'succeeded'
  await told('needs_response')
  await went(refund_id)
  expect((await on('refund', { reason: 'Leaves', iban })).faults).toEqual(['409 deposit_not_paid'])
  await told('lost')
  expect(await state()).toMatchObject({ ...nothing, balance: -12.1, provider: -12.1 })
})

test('a payment stays disputed while one of its disputes is, so that nothing is refunded that the bank may take', async () => {
  await told('needs_response', 3000, paid, 'a')
  await told('needs_response', 3050, paid, 'b')
  await told('won', 3050, paid, 'b')
  expect((await on('refund', { reason: 'Leaves' })).faults).toEqual(['409 deposit_not_paid'])
  await told('won', 3000, paid, 'a')
  expect((await on('refund', { reason: 'Leaves' })).status).toBe(200)
})

test('a message that comes late changes nothing: the newest word of the bank counts', async () => {
  await sent(await asked(20))
  await told('won')
  await told('lost')
  await told('needs_response')
  expect(await state()).toMatchObject({ ...nothing, balance: -24.2, provider: 0 })
  await told('won')
  expect(await state()).toMatchObject({ ...kept, balance: 30, vat: 6.3, advances: 30 })
})
