import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { factsOf } from '#staff/alert-notices.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const iban = 'RO49 AAAA 1B31 0075 9384 0000'
let billing: Visitor
let ana: Account
let lines = 0

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
beforeEach(async () => {
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
})

/** A deposit of 50 and VAT that came by transfer. Returns the id of its payment. */
async function transferred(): Promise<number> {
  const { id } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  const line = { amount: 60.5, received_on: '2026-03-19', reference: `OP ${++lines}` }
  const answer = await keyed(billing, `${base}/invoices/${id}/-actions/recordBankTransfer`, line)
  return JSON.parse(answer.text).transaction_id
}

const refund = (id: number, input: object = {}, who = billing) =>
  keyed(who, `${base}/transactions/${id}/-actions/refund`, { reason: 'Not needed', ...input })

const act = (verb: string, id: number, body: object) =>
  billing.post(`${base}/transactions/${id}/-actions/${verb}`, body)

const payment = async (id: number) =>
  (await portal.as(ana).get(`${base}/transactions/${id}`)).one.attributes as {
    status: string
    refunded: number
    refunds: { id: number; status: string; gross: number; iban_end: string | null }[]
  }

const balance = async () =>
  (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance

const creditNotes = async () =>
  (await portal.as(ana).get(`${base}/invoices?filter[kind]=credit_note`)).list.map(
    ({ attributes: a }) => `${a?.net} ${a?.vat} ${a?.total}`,
  )

const alerts = async () =>
  (await billing.get(`${base}/staff-alerts?filter[open]=true`)).list.filter(({ attributes }) =>
    String(attributes?.kind).startsWith('transfer_due'),
  )

test('a deposit by transfer goes back to a bank account: in a part, then the rest, each with its credit note', async () => {
  const id = await transferred()
  const first = JSON.parse((await refund(id, { amount: 20, iban })).text)
  expect(first).toMatchObject({ status: 'pending', net: 20, vat: 4.2, gross: 24.2 })
  expect(await alerts()).toMatchObject([
    { attributes: { detail: { amount: '24.20 USD', iban: iban.replaceAll(' ', ''), client_id: ana.id } } },
  ])
  // The letter about it goes through other hands.
  expect(factsOf(Object((await alerts())[0]?.attributes?.detail)).join()).not.toContain(iban.slice(0, 4))
  expect((await refund(id, { iban })).faults).toEqual(['409 refund_pending'])
  expect(await creditNotes()).toEqual([])
  const sent = { refund_id: first.refund_id, sent_on: '2026-03-20', reference: 'OUT 1' }
  expect((await act('recordSentTransfer', id, sent)).status).toBe(200)
  expect([await balance(), await alerts(), await creditNotes()]).toEqual([30, [], ['-20 -4.2 -24.2']])
  expect(await payment(id)).toMatchObject({ status: 'partially_refunded', refunded: 24.2 })

  const rest = JSON.parse((await refund(id, { iban })).text)
  expect(rest).toMatchObject({ net: 30, vat: 6.3, gross: 36.3 })
  await act('recordSentTransfer', id, { ...sent, refund_id: rest.refund_id, reference: 'OUT 2' })
  expect(await balance()).toBe(0)
  expect(await payment(id)).toMatchObject({ status: 'refunded', refunded: 60.5 })
  expect((await refund(id, { iban })).faults).toEqual(['409 deposit_not_paid'])
})

test('one cent is refunded, and a transfer that is not sent leaves the money on the balance', async () => {
  const id = await transferred()
  const { refund_id, net } = JSON.parse((await refund(id, { amount: 0.01, iban })).text)
  expect(net).toBe(0.01)
  await act('dropTransfer', id, { refund_id })
  expect([await balance(), await creditNotes(), await alerts()]).toEqual([50, [], []])
})

test('staff may send what a card paid to a bank account, where the card is gone', async () => {
  await addCard(portal, ana)
  const id = Number((await pay(portal.as(ana), { purpose: 'deposit', net: 10 })).one.id)
  const { refund_id } = JSON.parse((await refund(id, { iban })).text)
  expect((await payment(id)).refunds).toMatchObject([{ status: 'pending', iban_end: '0000' }])
  await act('recordSentTransfer', id, { refund_id, sent_on: '2026-03-20', reference: 'OUT 3' })
  expect([await balance(), (await payment(id)).status]).toEqual([0, 'refunded'])
})

test('an account is named by staff alone, and has to be an IBAN', async () => {
  const id = await transferred()
  expect((await refund(id)).faults).toEqual(['409 transfer_refund_by_hand'])
  expect((await refund(id, { iban: 'RO50 AAAA 1B31 0075 9384 0000' })).faults).toEqual([
    '422 iban_invalid /data/iban',
  ])
  expect((await refund(id, { iban }, portal.as(ana))).faults).toEqual(['403 staff_only'])
  expect((await refund(id, { iban }, portal.nobody)).status).toBe(401)
  expect((await refund(id, { iban }, portal.as(await makePayer(portal)))).status).toBe(404)
  expect([await balance(), await alerts()]).toEqual([50, []])
})

test('an old sign-in neither refunds nor records a transfer', async () => {
  const id = await transferred()
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await refund(id, { iban }, old)).faults).toEqual(['403 recent_sign_in_required'])
  const { list } = await portal.as(ana).get(`${base}/invoices?filter[kind]=proforma`)
  const line = { amount: 60.5, received_on: '2026-03-19', reference: 'OP old' }
  const url = `${base}/invoices/${list[0]?.id}/-actions/recordBankTransfer`
  expect((await keyed(old, url, line)).faults).toEqual(['403 recent_sign_in_required'])
  expect(await balance()).toBe(50)
})
