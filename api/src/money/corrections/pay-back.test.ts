import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { requestForgotten } from '#money/payments/late/forgotten-payments.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const scope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let billing: Visitor
let ana: Account
let bill: number

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
})

/** A bill of 30 and VAT for October, which is open. */
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-10-06T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
  await addCard(portal, ana)
  await used(db, ana, ['2026-10-05'], '30')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  bill = (await db.transaction().execute((tx) => closeMonth(tx, ana.id, month)))?.id ?? 0
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
})

const payByCard = () => pay(portal.as(ana), { purpose: 'service_bill', invoice_id: bill })
const payByTransfer = () =>
  keyed(billing, `${base}/invoices/${bill}/-actions/recordBankTransfer`, {
    amount: 36.3,
    received_on: '2026-11-01',
    reference: `paper ${bill}`,
  })

const credit = (input: object, who = billing) =>
  keyed(who, `${base}/invoices/${bill}/-actions/creditNote`, { data: { reason: 'Wrong hours', ...input } })

const balance = async () =>
  (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance

const payment = async () => {
  const { list } = await portal.as(ana).get(`${base}/transactions`)
  return { id: list[0]?.id, ...list[0]?.attributes } as {
    id: string
    status: string
    refunded: number
    refunds: { id: number; status: string; gross: number; iban_end: string | null }[]
  }
}

/** The documents of the account besides its bill. */
const documents = async () => {
  const { list } = await portal.as(ana).get(`${base}/invoices?sort=number&page[size]=50`)
  return list
    .map(({ attributes: a }) => `${a?.kind} ${a?.reason} ${a?.status} ${a?.total}`)
    .filter((one) => !one.includes('service_bill'))
    .sort((one, other) => one.localeCompare(other))
}

const alerts = async () =>
  (await billing.get(`${base}/staff-alerts?filter[open]=true`)).list.filter(({ attributes }) =>
    String(attributes?.kind).startsWith('transfer_due'),
  )

const act = (verb: string, id: string, body: object, who = billing) =>
  who.post(`${base}/transactions/${id}/-actions/${verb}`, body)

test('a credit note is of lines or of an amount, never of both', async () => {
  expect((await credit({ net: 10, lines: [1] })).faults).toEqual(['422 credit_note_lines_or_net'])
  expect(await documents()).toEqual([])
})

test('money to be sent waits for what happens to its payment, and neither blocks the other for ever', async () => {
  await payByCard()
  const { id } = await payment()
  const crediting = await db.transaction().execute(async (tx) => {
    // As a message about a dispute does.
    await sql`select from payments where id = ${id} for update`.execute(tx)
    const sent = credit({ to: 'card' })
    await untilBlocked(pool)
    await holdAccounts(tx, ana.id)
    return { sent }
  })
  expect((await crediting.sent).status).toBe(200)
})

test('a part of a bill that a card paid goes back to the card, once, with its documents', async () => {
  await payByCard()
  const answer = JSON.parse((await credit({ net: 10, to: 'card' })).text)
  expect(answer).toMatchObject({ total: -12.1, refund_id: expect.any(Number) })
  expect(await payment()).toMatchObject({ refunds: [{ status: 'pending', gross: 12.1, iban_end: null }] })
  await sendRefund(scope, answer.refund_id)
  await sendRefund(scope, answer.refund_id)
  expect(await balance()).toBe(0)
  expect(await payment()).toMatchObject({ status: 'partially_refunded', refunded: 12.1 })
  expect(await documents()).toEqual([
    'credit_note storno paid -12.1',
    'credit_note storno paid -12.1',
    'fiscal advance refunded 12.1',
  ])
  // The rest of the bill, and then nothing is left of it.
  const rest = JSON.parse((await credit({ to: 'card' })).text)
  await sendRefund(scope, rest.refund_id)
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: 36.3 })
  expect((await credit({ to: 'card' })).faults).toEqual(['409 credited_already'])
  expect(await balance()).toBe(0)
})

test('while one refund of a payment is under way, another is refused, and nothing is credited', async () => {
  await payByCard()
  await credit({ net: 5, to: 'card' })
  const before = await documents()
  expect((await credit({ net: 5, to: 'card' })).faults).toEqual(['409 refund_pending'])
  expect(await documents()).toEqual(before)
  const both = await Promise.all([credit({ net: 5 }), credit({ net: 5, to: 'balance' })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
})

test('what no payment can give back is refused: an open bill, a transfer to a card, an IBAN that is none', async () => {
  expect((await credit({ to: 'card' })).faults).toEqual(['409 credit_note_no_payment'])
  await payByTransfer()
  const before = await documents()
  expect((await credit({ to: 'card' })).faults).toEqual(['409 credit_note_no_payment'])
  for (const wrong of [undefined, 'RO50 AAAA 1B31 0075 9384 0000', 'no'])
    expect((await credit({ to: 'bank', iban: wrong })).faults).toEqual(['422 iban_invalid /data/iban'])
  expect(await documents()).toEqual(before)
})

test('money for a bank account is a task for staff: sent once, its credit note follows', async () => {
  await payByTransfer()
  const { refund_id } = JSON.parse((await credit({ to: 'bank', iban })).text)
  expect(await balance()).toBe(30)
  const { id, refunds } = await payment()
  expect(refunds).toMatchObject([{ id: refund_id, status: 'pending', iban_end: '0000' }])
  expect(await alerts()).toMatchObject([
    { attributes: { detail: { amount: '36.30 USD', iban: iban.replaceAll(' ', '') } } },
  ])
  // No job asks the provider for it.
  await sql`update payment_refunds set updated_at = now() - interval '1 day'`.execute(db)
  expect(await requestForgotten(scope)).toBe(0)

  const sent = { refund_id, sent_on: '2026-11-02', reference: 'OUT 1' }
  const support = portal.staff(await makeAdmin(pool))
  const bob = await makePayer(portal)
  expect((await act('recordSentTransfer', id, sent, portal.nobody)).status).toBe(401)
  expect((await act('recordSentTransfer', id, sent, portal.as(bob))).status).toBe(404)
  expect((await act('recordSentTransfer', id, sent, portal.as(ana))).faults).toEqual(['403 staff_only'])
  expect((await act('recordSentTransfer', id, sent, support)).status).toBe(404)
  expect((await act('recordSentTransfer', '999999', sent)).status).toBe(404)
  expect((await act('recordSentTransfer', id, { ...sent, sent_on: '2026-11-03' })).faults).toEqual([
    '422 transfer_ahead /data/sent_on',
  ])
  expect((await act('recordSentTransfer', id, { ...sent, refund_id: 999_999 })).faults).toEqual([
    '409 transfer_not_due',
  ])
  const both = await Promise.all([act('recordSentTransfer', id, sent), act('recordSentTransfer', id, sent)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await balance()).toBe(0)
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: 36.3 })
  expect(await documents()).toEqual([
    'credit_note storno paid -36.3',
    'credit_note storno paid -36.3',
    'fiscal advance refunded 36.3',
  ])
  expect(await alerts()).toEqual([])
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const { list } = await admin.get(`${base}/staff-actions?filter[client_id]=${ana.id}`)
  expect(list.map(({ attributes }) => attributes?.verb)).toEqual(
    expect.arrayContaining(['creditNote', 'recordSentTransfer']),
  )
})

test('a transfer that is not sent leaves the money on the balance', async () => {
  await payByTransfer()
  const { refund_id } = JSON.parse((await credit({ to: 'bank', iban })).text)
  const { id } = await payment()
  expect((await act('dropTransfer', id, { refund_id })).status).toBe(200)
  expect((await act('dropTransfer', id, { refund_id })).faults).toEqual(['409 transfer_not_due'])
  expect([await balance(), await alerts()]).toEqual([30, []])
})
