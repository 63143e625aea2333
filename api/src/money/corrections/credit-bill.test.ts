import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { electronicInvoices } from '#test/support/electronic.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

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
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
  // The VAT in the books is that of the documents, and what is owed is what they ask for.
  const { rows } = await sql<{ books: number; documents: number; due: number; asked: number }>`select
    (select coalesce(sum(e.amount), 0)::float from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      join ledger_accounts a on a.id = e.account_id where t.client_id = ${ana.id} and a.kind = 'vat_payable') as books,
    (select coalesce(sum(vat), 0)::float from invoices where client_id = ${ana.id} and kind <> 'proforma') as documents,
    (select balance::float from ledger_accounts where client_id = ${ana.id} and kind = 'client_vat_due') as due,
    (select coalesce(-sum(round((total - paid - credited) * vat / nullif(total, 0), 2)), 0)::float from invoices
      where client_id = ${ana.id} and kind = 'fiscal' and total > paid + credited) as asked`.execute(db)
  expect(rows[0]?.books).toBe(rows[0]?.documents)
  expect(rows[0]?.due).toBe(rows[0]?.asked)
  await electronicInvoices(pool, ana.id)
})

const creditNote = (id: number, input: object, who = billing) =>
  keyed(who, `${base}/invoices/${id}/-actions/creditNote`, { data: { reason: 'Wrong price', ...input } })

const balance = async () =>
  (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance

const read = async (id: number) => {
  const { status, credited, open } = (await portal.as(ana).get(`${base}/invoices/${id}`)).one.attributes ?? {}
  return [status, credited, open]
}

/** The bill of October. */
async function billOf(...amounts: readonly string[]): Promise<number> {
  for (const [at, amount] of amounts.entries()) await used(db, ana, [`2026-10-0${at + 1}`], amount)
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  return (await db.transaction().execute((tx) => closeMonth(tx, ana.id, month)))?.id ?? 0
}

const invoice = async (input: object, who = billing) =>
  keyed(who, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { data: input })

const lines = [
  { description_en: 'Set-up', description_ro: 'Instalare', quantity: 1, unit_price: 20 },
  { description_en: 'Training, hours', quantity: 3, unit_price: 3.33 },
]

test('an unpaid bill is credited by parts, then whole, and never more than that', async () => {
  const bill = await billOf('30')
  expect(await balance()).toBe(-30)
  const part = await creditNote(bill, { net: 10 })
  expect(JSON.parse(part.text)).toMatchObject({ total: -12.1, deposit_id: null })
  expect([await balance(), await read(bill)]).toEqual([-20, ['unpaid', 12.1, 24.2]])
  expect((await creditNote(bill, { net: 20.01 })).errors[0]?.code).toBe('credited_already')
  expect((await creditNote(bill, { lines: [1] })).errors[0]?.code).toBe('credited_by_amount')
  const reissue = await keyed(billing, `${base}/invoices/${bill}/-actions/storno`, { reason: 'No deposit' })
  expect(reissue.faults).toEqual(['409 storno_not_deposit'])
  const rest = await creditNote(bill, {})
  expect(JSON.parse(rest.text)).toMatchObject({ total: -24.2 })
  expect([await balance(), await read(bill)]).toEqual([0, ['cancelled', 36.3, 0]])
  for (const more of [{}, { net: 0.01 }])
    expect((await creditNote(bill, more)).errors[0]?.code).toBe('credited_already')
})

test('what was paid of a bill goes to the balance as a deposit with its invoice', async () => {
  await addCard(portal, ana)
  const bill = await billOf('30')
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: bill })
  expect(await balance()).toBe(0)
  const answer = JSON.parse((await creditNote(bill, { net: 10 })).text)
  expect(answer).toMatchObject({ total: -12.1, deposit_id: expect.any(Number) })
  expect(await balance()).toBe(10)
  expect((await portal.as(ana).get(`${base}/invoices/${answer.deposit_id}`)).one.attributes).toMatchObject({
    reason: 'advance',
    status: 'paid',
    total: 12.1,
  })
})

test('a bill credited whole gives back the advances that it deducted', async () => {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 20 })
  const bill = await billOf('30')
  expect([await balance(), await read(bill)]).toEqual([-10, ['unpaid', 0, 12.1]])
  await creditNote(bill, {})
  expect([await balance(), await read(bill)]).toEqual([20, ['cancelled', 12.1, 0]])
  // The next bill deducts the advance again.
  await used(db, ana, ['2026-11-01'], '5')
  await businessTime(pool, '2026-12-02T10:00:00Z')
  const next = await db
    .transaction()
    .execute((tx) => closeMonth(tx, ana.id, { from: '2026-11-01', until: '2026-12-01' }))
  expect([next?.total, await balance()]).toEqual(['0.00', 15])
})

test('a paid-ahead bill of zero is corrected too', async () => {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 50 })
  const bill = await billOf('30')
  expect(await balance()).toBe(20)
  expect(JSON.parse((await creditNote(bill, {})).text)).toMatchObject({ total: 0, deposit_id: null })
  expect(await balance()).toBe(50)
  expect((await creditNote(bill, {})).errors[0]?.code).toBe('credited_already')
})

test('a manual invoice is owed like a bill, paid by card, and credited by lines', async () => {
  await addCard(portal, ana)
  const made = JSON.parse((await invoice({ lines })).text)
  expect(made).toMatchObject({ total: 36.29 })
  const { attributes } = (await portal.as(ana).get(`${base}/invoices/${made.invoice_id}`)).one
  expect(attributes).toMatchObject({ kind: 'fiscal', reason: 'manual', status: 'unpaid', open: 36.29 })
  expect(attributes?.bank_details).toMatchObject({ reference: made.full_number })
  expect(await balance()).toBe(-29.99)
  // The next bill does not ask for it again.
  await used(db, ana, ['2026-10-01'], '5')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  expect(bill).toMatchObject({ total: '6.05' })

  const first = JSON.parse((await creditNote(made.invoice_id, { lines: [1] })).text)
  expect(first).toMatchObject({ total: -24.2, deposit_id: null })
  const { list } = await portal.as(ana).get(`${base}/billing-logs`)
  const said = list.map(
    ({ attributes: row }) => `${row?.description_key} ${Reflect.get(Object(row?.invoice), 'full_number')}`,
  )
  expect(said).toEqual(
    expect.arrayContaining([`service_bill ${made.full_number}`, `correction ${first.full_number}`]),
  )
  expect((await creditNote(made.invoice_id, { lines: [1, 2] })).errors[0]?.code).toBe('credited_already')
  expect((await creditNote(made.invoice_id, { net: 1 })).errors[0]?.code).toBe('credited_by_lines')
  expect((await creditNote(made.invoice_id, { lines: [3] })).faults).toEqual([
    '422 credit_note_line /data/lines',
  ])
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: made.invoice_id })
  expect([await balance(), await read(made.invoice_id)]).toEqual([-5, ['paid', 24.2, 0]])
  const rest = await creditNote(made.invoice_id, {})
  expect(JSON.parse(rest.text)).toMatchObject({ total: -12.09, deposit_id: expect.any(Number) })
  expect((await read(made.invoice_id))[0]).toBe('refunded')
})

test('the same credit note at once is one, and two that differ never exceed the bill', async () => {
  const bill = await billOf('30')
  const answers = await Promise.all([20, 20, 20].map((net) => creditNote(bill, { net })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await balance()).toBe(-10)
})

test('deposits, clients, other roles and amounts above the limit are refused', async () => {
  await addCard(portal, ana)
  const paid = await pay(portal.as(ana), { net: 50 })
  const { list } = await portal.as(ana).get(`${base}/invoices?filter[kind]=fiscal`)
  expect(paid.status).toBe(201)
  expect((await creditNote(Number(list[0]?.id), {})).errors[0]?.code).toBe('credit_note_deposit')
  expect((await creditNote(Number(list[0]?.id), {}, portal.as(ana))).status).toBe(403)
  const support = portal.staff(await makeAdmin(pool))
  expect((await invoice({ lines }, support)).status).toBe(403)
  const dear = [{ description_en: 'Set-up', quantity: 10, unit_price: 1000 }]
  expect((await invoice({ lines: dear })).errors[0]?.code).toBe('staff_limit_action')
  expect((await invoice({ lines: [] })).status).toBe(422)
})
