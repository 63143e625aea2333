import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, answerBank, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { makeUsage } from '#test/support/usage.ts'
import { targetOf } from './bank-transfers.ts'

const portal = await testPortal({ poolSize: 16 })
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let ana: Account
let asked: { id: number; fullNumber: string }

const proformaOf = ({ id }: Account, net = '50') =>
  db.transaction().execute((tx) => issueProforma(tx, { clientId: id, sum: { net } }))

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
beforeEach(async () => {
  ana = await makePayer(portal)
  asked = await proformaOf(ana)
})

const line = { amount: 60.5, received_on: '2026-03-19', reference: '' }
let lines = 0
const newLine = (more: object = {}) => ({ ...line, reference: `OP ${++lines}`, ...more })

const record = (body: object, { who = billing, id = asked.id } = {}) =>
  keyed(who, `${base}/invoices/${id}/-actions/recordBankTransfer`, body)

/** An account's balance, its share of the bank account in the ledger, and its documents. */
async function state({ id }: Account = ana) {
  const { rows } = await sql<{ balance: string; bank: string; documents: string[] }>`
    select trim_scale(b.account_balance)::text as balance,
      (select trim_scale(coalesce(-sum(e.amount), 0))::text from ledger_entries e
        join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
        where t.client_id = ${id} and a.kind = 'bank') as bank,
      array(select i.kind || ' ' || s.code || ' ' || i.net || ' + ' || i.vat from invoices i
        join invoice_statuses s on s.id = i.invoice_status_id where i.client_id = ${id} order by i.id) as documents
    from account_balances b where b.client_id = ${id}`.execute(db)
  return rows[0]
}

test('a transfer above the limit of a role needs a second person, and one above the rest of the day too', async () => {
  const who = portal.staff(await makeAdmin(pool, 'billing'))
  const limits = db.updateTable('staff_limits').where('verb', '=', 'recordBankTransfer')
  const faults = async (amount: number) => (await record(newLine({ amount }), { who })).faults
  // In RON; a dollar is more than four of them.
  expect(await faults(3000)).toEqual(['403 staff_limit_action'])
  await limits.set({ per_action: 50_000 }).execute()
  expect(await faults(3000)).toEqual([])
  expect(await faults(11_000)).toEqual(['403 staff_limit_day'])
})

test('a transfer of what was asked for is a deposit with its invoice, and the proforma is paid', async () => {
  const me = portal.as(ana)
  const read = async () => (await me.get(`${base}/invoices/${asked.id}`)).one.attributes
  expect(await read()).toMatchObject({
    bank_details: {
      beneficiary: 'Test Cloud SRL',
      iban: 'RO49AAAA1B31007593840000',
      bank_name: 'Banca Test',
      reference: asked.fullNumber,
    },
  })
  const done = await record(newLine())
  const { transaction_id, invoice_id, ...sums } = JSON.parse(done.text)
  expect([done.status, sums]).toEqual([200, { net: 50, vat: 10.5, gross: 60.5 }])
  expect(await state()).toEqual({
    balance: '50',
    bank: '60.5',
    documents: ['proforma paid 50.00 + 10.50', 'fiscal paid 50.00 + 10.50'],
  })
  expect(await read()).toMatchObject({ status: 'paid', open: 0, bank_details: null })
  const issued = (await me.get(`${base}/invoices/${invoice_id}?include=proforma`)).one
  expect(issued.attributes).toMatchObject({ tax_point_date: '2026-03-19', issue_date: '2026-03-20' })
  expect(issued.relationships?.proforma).toMatchObject({ data: { id: String(asked.id) } })
  const shown = (await me.get(`${base}/transactions/${transaction_id}`)).one.attributes
  expect(shown).toMatchObject({ method: 'bank_transfer', status: 'succeeded', card_last4: null })
  const notices = await me.get(`${base}/notifications`)
  expect(notices.list.map(({ attributes }) => attributes?.kind)).toEqual(['invoice_issued'])
  expect(await verifyLedger(db)).toEqual([])
})

test('only billing staff record a transfer, and only with an idempotency key', async () => {
  const support = portal.staff(await makeAdmin(pool, 'support'))
  await support.get(`${base}/desk-clients/${ana.id}`)
  const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
  const stranger = portal.as(await makePayer(portal))
  const answers = [portal.as(ana), support, readonly, stranger, portal.nobody].map((who) =>
    record(newLine(), { who }),
  )
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 403, 404, 401])
  const without = await billing.post(`${base}/invoices/${asked.id}/-actions/recordBankTransfer`, newLine())
  expect([without.status, without.errors[0]?.code]).toEqual([400, 'idempotency_key_required'])
  expect(await state()).toMatchObject({ balance: '0', documents: ['proforma unpaid 50.00 + 10.50'] })
})

test('the same line of a statement is one fact, however often and by how many it is recorded', async () => {
  const body = newLine()
  const answers = await Promise.all(Array.from({ length: 6 }, () => record(body)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await state()).toMatchObject({ balance: '50', bank: '60.5' })
  const other = await makePayer(portal)
  const wrong = [
    await record({ ...body, amount: 60.51 }),
    await record({ ...body, received_on: '2026-03-18' }),
    await record(body, { id: (await proformaOf(ana)).id }),
    await record(body, { id: (await proformaOf(other)).id }),
  ]
  expect(wrong.map(({ faults }) => faults)).toEqual(
    wrong.map(() => ['409 transfer_recorded_otherwise /data/reference']),
  )
  expect(await state()).toMatchObject({ balance: '50', bank: '60.5' })
  // Two people, two accounts, one line at the same moment: one of them is right.
  const shared = newLine()
  const ids = [(await proformaOf(ana)).id, (await proformaOf(other)).id]
  const both = await Promise.all(ids.map((id) => record(shared, { id })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('less than was asked for is taken for what it is, and the rest is still asked for', async () => {
  await record(newLine({ amount: 12.1 }))
  expect(await state()).toMatchObject({
    balance: '10',
    documents: ['proforma partially_paid 50.00 + 10.50', 'fiscal paid 10.00 + 2.10'],
  })
  const open = (await portal.as(ana).get(`${base}/invoices/${asked.id}`)).one.attributes
  expect(open).toMatchObject({ open: 48.4, bank_details: { reference: asked.fullNumber } })
  await record(newLine({ amount: 48.4 }))
  expect(await state()).toEqual({
    balance: '50',
    bank: '60.5',
    documents: ['proforma paid 50.00 + 10.50', 'fiscal paid 10.00 + 2.10', 'fiscal paid 40.00 + 8.40'],
  })
})

test('more than was asked for, and what is paid once more, is on the balance with an invoice of its own', async () => {
  await record(newLine({ amount: 121 }))
  await record(newLine())
  expect(await state()).toEqual({
    balance: '150',
    bank: '181.5',
    documents: ['proforma paid 50.00 + 10.50', 'fiscal paid 100.00 + 21.00', 'fiscal paid 50.00 + 10.50'],
  })
  expect(await verifyLedger(db)).toEqual([])
})

test('a proforma that has expired is paid all the same, with the VAT of the day on which the money came', async () => {
  await sql`update invoices set invoice_status_id = invoice_status('expired') where id = ${asked.id}`.execute(
    db,
  )
  // The last day of 19%.
  await record(newLine({ amount: 59.5, received_on: '2025-07-31' }))
  expect(await state()).toMatchObject({
    balance: '50',
    documents: ['proforma partially_paid 50.00 + 10.50', 'fiscal paid 50.00 + 9.50'],
  })
  for (const received_on of ['2026-03-21', '2025-03-19', '1900-01-01']) {
    const wrong = await record(newLine({ received_on }))
    expect([wrong.status, wrong.errors[0]?.source]).toEqual([422, { pointer: '/data/received_on' }])
  }
})

test('a concurrent card charge for the same proforma is settled, too, and no money is lost', async () => {
  const card = await addCard(portal, ana, '4000 0027 6000 3184')
  const begun = await pay(portal.as(ana), { net: 50 }, { card })
  const { proforma_id } = await db
    .selectFrom('payments')
    .select('proforma_id')
    .where('id', '=', Number(begun.one.id))
    .executeTakeFirstOrThrow()
  expect((await record(newLine(), { id: Number(proforma_id) })).status).toBe(200)
  await answerBank(portal, begun.one.attributes?.challenge_url, 'yes')
  const url = `${base}/transactions/${begun.one.id}/-actions/confirm`
  expect(JSON.parse((await portal.as(ana).post(url, {})).text)).toMatchObject({ status: 'succeeded' })
  expect(await state()).toMatchObject({ balance: '100', bank: '60.5' })
})

test('a bill of use takes from a transfer first, and what is left is on the balance', async () => {
  const days = ['2026-02-10', '2026-02-11']
  await makeUsage(pool, { client: ana.id, panels: ana.panels, days, charged: days })
  const month = { from: '2026-02-01', until: '2026-03-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  const due = Number(bill?.total)
  expect(due).toBeGreaterThan(0)
  const card = await addCard(portal, ana, '4000 0027 6000 3184')
  const wish = { purpose: 'service_bill', invoice_id: bill?.id ?? 0 }
  const begun = await pay(portal.as(ana), wish, { card })
  const amount = Math.round(100 * (due + 12.1)) / 100
  const body = newLine({ amount })
  const early = await record(body, { id: bill?.id ?? 0 })
  expect([early.status, early.errors[0]?.code]).toEqual([409, 'bill_payment_pending'])
  await portal.as(ana).post(`${base}/transactions/${begun.one.id}/-actions/cancel`, {})
  const done = JSON.parse((await record(body, { id: bill?.id ?? 0 })).text)
  expect(done).toMatchObject({ gross: amount })
  expect((await state())?.documents).toEqual(expect.arrayContaining(['fiscal paid 10.00 + 2.10']))
  const read = (await portal.as(ana).get(`${base}/invoices/${bill?.id}`)).one.attributes
  expect(read).toMatchObject({ status: 'paid', open: 0 })
  // The fraction of a cent is carried to the next bill.
  expect(await state()).toMatchObject({ balance: '9.998' })
  expect(await verifyLedger(db)).toEqual([])
})

test('a client cannot have a payment by transfer refunded, because nobody knows their account', async () => {
  const { transaction_id } = JSON.parse((await record(newLine())).text)
  const url = `${base}/transactions/${transaction_id}/-actions/refund`
  const refused = await keyed(portal.as(ana), url, { reason: 'Not needed' })
  expect([refused.status, refused.errors[0]?.code]).toEqual([409, 'transfer_refund_by_hand'])
  const document = (await portal.as(ana).get(`${base}/invoices?filter[kind]=fiscal`)).list[0]
  const about = await record(newLine(), { id: Number(document?.id) })
  expect([about.status, about.errors[0]?.code]).toEqual([409, 'transfer_document_unfit'])
})

test('a month that came to less than nothing is a credit note, which no transfer pays', () => {
  const note = { id: 1, client_id: ana.id, kind: 'credit_note', reason: 'service_bill', currency: 'USD' }
  expect(() => targetOf(note)).toThrow(expect.objectContaining({ code: 'transfer_document_unfit' }))
})

test.each([
  [{ amount: 0 }, '/data/amount'],
  [{ amount: -1 }, '/data/amount'],
  [{ amount: 10.001 }, '/data/amount'],
  [{ amount: 1e9 }, '/data/amount'],
  [{ amount: '60.50' }, '/data/amount'],
  [{ received_on: '2026-02-30' }, '/data/received_on'],
  [{ reference: ' ' }, '/data/reference'],
  [{ reference: 'x'.repeat(141) }, '/data/reference'],
])('%j is refused', async (more, pointer) => {
  const answer = await record(newLine(more))
  expect([answer.status, answer.errors[0]?.source]).toEqual([422, { pointer }])
  expect(await state()).toMatchObject({ balance: '0' })
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
