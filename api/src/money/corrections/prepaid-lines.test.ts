import { invoices } from '@portico/contract/resources/invoices.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { addCard, keyed, pay } from '#test/support/card.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// Lines of a bill that deposits paid, whole or in part, are credited one after another.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-10-06T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makeAccount(pool, { projects: 1, panels: 2, opening: null })
  await makeBuyer(pool, ana, {})
})

/** A bill of 10 for one panel and 20 for another, of which a deposit of so much paid a part. */
async function prepaid(net: number): Promise<number> {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net })
  await used(db, ana, ['2026-10-01'], '10')
  await used(db, { ...ana, panels: [ana.panels[1] ?? 0] }, ['2026-10-02'], '20')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  return bill?.id ?? 0
}

const credit = async (id: number, input: object) => {
  const answer = await keyed(billing, `${base}/invoices/${id}/-actions/creditNote`, {
    data: { reason: 'Wrong price', ...input },
  })
  return answer.faults.length > 0 ? answer.faults : JSON.parse(answer.text).total
}

const state = async (id: number) => {
  const { status, open } = (await billing.get(`${base}/invoices/${id}`)).one.attributes ?? {}
  const [balance] = (await portal.as(ana).get(`${base}/account-balances`)).list
  return { status, open, balance: balance?.attributes?.account_balance }
}

test('a bill that deposits paid whole stays paid until its last line is credited', async () => {
  const id = await prepaid(50)
  expect(await state(id)).toEqual({ status: 'paid', open: 0, balance: 20 })
  expect(await credit(id, { lines: [1] })).toBe(-12.1)
  expect(await state(id)).toEqual({ status: 'paid', open: 0, balance: 30 })
  expect(await credit(id, { lines: [2] })).toBe(-24.2)
  expect(await state(id)).toEqual({ status: 'cancelled', open: 0, balance: 50 })
  expect(await verifyLedger(db)).toEqual([])
})

test('what is left of a bill that deposits paid is credited after one of its lines, once', async () => {
  const id = await prepaid(50)
  await credit(id, { lines: [1] })
  expect(await credit(id, {})).toBe(-24.2)
  expect(await state(id)).toEqual({ status: 'cancelled', open: 0, balance: 50 })
  expect(await credit(id, {})).toEqual(['409 credited_already'])
  expect(await verifyLedger(db)).toEqual([])
})

test('a line above what is left to pay ends what is owed, gives the rest back, and leaves the other line', async () => {
  const id = await prepaid(25)
  expect(await state(id)).toEqual({ status: 'unpaid', open: 6.05, balance: -5 })
  expect(await credit(id, { lines: [1] })).toBe(-12.1)
  expect(await state(id)).toEqual({ status: 'paid', open: 0, balance: 5 })
  expect(await credit(id, {})).toBe(-24.2)
  expect(await state(id)).toEqual({ status: 'cancelled', open: 0, balance: 25 })
  expect(await verifyLedger(db)).toEqual([])
})

test('a line goes back to the card, also after the rest of its deposit was issued again', async () => {
  const id = await prepaid(50)
  const { rows } = await sql<{
    id: number
  }>`update invoices set pdf_key = 'made', pdf_sha256 = repeat('0', 64)
    where client_id = ${ana.id} and reason = 'advance' returning id`.execute(db)
  const again = await keyed(billing, `${base}/invoices/${rows[0]?.id}/-actions/storno`, { reason: 'Refused' })
  expect(again.faults).toEqual([])
  expect(await credit(id, { lines: [1], to: 'card' })).toBe(-12.1)
  const [payment] = (await billing.get(`${base}/transactions?filter[client_id]=${ana.id}`)).list
  expect(payment?.attributes?.refunds).toMatchObject([{ gross: 12.1, status: 'pending' }])
})

/** The payments of the account, the last one first, and their refunds. */
const payments = async () =>
  (await billing.get(`${base}/transactions?filter[client_id]=${ana.id}`)).list.map(({ id, attributes }) => ({
    id: Number(id),
    refunds: attributes?.refunds,
  }))

test('a bill that a card paid ahead in part and a transfer paid then goes back to the transfer, and what was ahead to the card', async () => {
  const id = await prepaid(25)
  const received = { amount: 6.05, received_on: '2026-11-01', reference: `paper ${id}` }
  const wire = await keyed(billing, `${base}/invoices/${id}/-actions/recordBankTransfer`, { data: received })
  expect(wire.faults).toEqual([])
  const ways = async (input: object) => {
    const payload = encodeURIComponent(JSON.stringify(input))
    const { json } = await billing.get(`${base}/invoices/${id}/-actions/previewCredit?payload=${payload}`)
    return invoices.actions.previewCredit.output.parse(json).ways
  }
  // A line gives back nothing of what was ahead, so that the card has it.
  expect(await ways({ lines: [2] })).toEqual(['balance', 'card', 'bank'])
  expect(await ways({})).toEqual(['balance', 'bank'])
  expect(await credit(id, { to: 'card' })).toEqual(['409 credit_note_no_payment'])
  expect(await credit(id, { to: 'bank', iban: 'RO49 AAAA 1B31 0075 9384 0000' })).toBe(-6.05)
  const [transfer, card] = await payments()
  expect(transfer?.refunds).toMatchObject([{ gross: 6.05, status: 'pending' }])
  const rest = await keyed(billing, `${base}/transactions/${card?.id}/-actions/refund`, {
    reason: 'Leaves',
  })
  expect(rest.faults).toEqual([])
  expect(JSON.parse(rest.text)).toMatchObject({ net: 25, gross: 30.25 })
  expect(await verifyLedger(db)).toEqual([])
})
