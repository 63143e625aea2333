import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { stripe, portal, db, addCard, deliver, workOff } = await stripePortal()
const { pool } = portal
let billing: Visitor
let ana: Account

beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-10-06T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
})

const onBill = (id: number, verb: string, input: object) =>
  keyed(billing, `${base}/invoices/${id}/-actions/${verb}`, { data: input })

const balance = async () =>
  (await portal.as(ana).get(`${base}/account-balances`)).list[0]?.attributes?.account_balance

/** A bill over 20, promotional credit off, with VAT. */
async function bill(): Promise<number> {
  await used(db, ana, ['2026-10-01'], '20')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const { id } = (await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))) ?? { id: 0 }
  return id
}

/** The bank takes a payment back, or gives it back again. */
async function lose(paymentId: number, amount: number, status = 'lost'): Promise<void> {
  const { provider_ref } = await db
    .selectFrom('payments')
    .select('provider_ref')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const about = { object: 'dispute', payment_intent: provider_ref, currency: 'usd', balance_transactions: [] }
  stripe.things.set(`dp_${paymentId}`, { id: `dp_${paymentId}`, ...about, amount, status })
  await deliver(stripe.event('charge.dispute.updated', { id: `dp_${paymentId}` }))
  await workOff()
}

/** What was given up as lost, and the VAT in the books. */
const lostAndVat = async () => {
  const { rows } = await sql<{ lost: number; vat: number }>`select
    coalesce(-sum(e.amount) filter (where a.kind = 'writeoff'), 0)::float as lost,
    coalesce(sum(e.amount) filter (where a.kind = 'vat_payable'), 0)::float as vat
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
    where t.client_id = ${ana.id}`.execute(db)
  return [rows[0]?.lost, rows[0]?.vat]
}

const read = async (id: number) => {
  const { one } = await portal.as(ana).get(`${base}/invoices/${id}`)
  const { status, paid, credited, written_off, open } = one.attributes ?? {}
  return { status, paid, credited, written_off, open }
}

test('a credit note for a bill that was written off takes the loss back, and gives the client nothing', async () => {
  const id = await bill()
  await onBill(id, 'writeOff', {})
  expect(await lostAndVat()).toEqual([24.2, 4.2])
  const note = await onBill(id, 'creditNote', { reason: 'Wrong' })
  expect(JSON.parse(note.text)).toMatchObject({ total: -24.2, deposit_id: null })
  expect([await balance(), await lostAndVat()]).toEqual([0, [0, 0]])
  expect(await read(id)).toEqual({ status: 'cancelled', paid: 0, credited: 24.2, written_off: 0, open: 0 })
})

test('of a bill that was partly written off only what was paid goes back to the balance', async () => {
  await addCard(ana)
  const id = await bill()
  await onBill(id, 'writeOff', { amount: 12.1 })
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: id })
  const first = await onBill(id, 'creditNote', { reason: 'Wrong', net: 5 })
  expect(JSON.parse(first.text)).toMatchObject({ total: -6.05, deposit_id: null })
  expect([await balance(), await lostAndVat()]).toEqual([0, [6.05, 3.15]])
  const rest = await onBill(id, 'creditNote', { reason: 'Wrong' })
  expect(JSON.parse(rest.text)).toMatchObject({ total: -18.15, deposit_id: expect.any(Number) })
  expect([await balance(), await lostAndVat()]).toEqual([10, [0, 2.1]])
  expect(await read(id)).toMatchObject({ status: 'refunded', credited: 24.2, written_off: 0, open: 0 })
})

test('an amount is written off again after a credit note took the first loss back', async () => {
  await addCard(ana)
  const id = await bill()
  await onBill(id, 'writeOff', { amount: 12.1 })
  const paid = await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: id })
  await onBill(id, 'creditNote', { reason: 'Wrong', net: 10 })
  expect([await balance(), await lostAndVat()]).toEqual([0, [0, 2.1]])
  // The bank takes back what was paid, so that this much is open again.
  await lose(Number(paid.one.id), 1210)
  expect([await balance(), await read(id)]).toEqual([-10, expect.objectContaining({ open: 12.1 })])
  expect((await onBill(id, 'writeOff', { amount: 12.1 })).status).toBe(200)
  expect([await balance(), await lostAndVat()]).toEqual([0, [12.1, 2.1]])
})

test('a credit note of lines leaves out no promotional credit, which nobody paid', async () => {
  await addCard(ana)
  await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/goodwill`, { data: { amount: 8 } })
  const id = await bill()
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: id })
  const credit = (lines: number[]) => onBill(id, 'creditNote', { reason: 'Wrong', lines })
  expect((await credit([1])).faults).toEqual(['409 credit_note_deductions /data/lines'])
  expect(JSON.parse((await credit([1, 2])).text)).toMatchObject({ total: -14.52 })
  expect(await balance()).toBe(12)
})

const deposits = async () => {
  const { list } = await portal.as(ana).get(`${base}/invoices?filter[kind]=fiscal`)
  return list.filter(({ attributes }) => attributes?.reason === 'advance').length
}

const transfer = (id: number, amount: number) =>
  onBill(id, 'recordBankTransfer', { amount, received_on: '2026-11-02', reference: `OP ${id} ${amount}` })

test.each([
  { lost: 24.2, arrives: 24.2, after: { loss: 0, open: 0, balance: 0, deposits: 0, vat: 4.2 } },
  { lost: 24.2, arrives: 10, after: { loss: 14.2, open: 0, balance: 0, deposits: 0, vat: 4.2 } },
  { lost: 12.1, arrives: 12.1, after: { loss: 12.1, open: 0, balance: 0, deposits: 0, vat: 4.2 } },
  { lost: 12.1, arrives: 20, after: { loss: 4.2, open: 0, balance: 0, deposits: 0, vat: 4.2 } },
  { lost: 24.2, arrives: 36.3, after: { loss: 0, open: 0, balance: 10, deposits: 1, vat: 6.3 } },
])('a transfer of $arrives for a bill with a loss of $lost takes the loss back first', async (one) => {
  const id = await bill()
  await onBill(id, 'writeOff', { amount: one.lost })
  expect((await transfer(id, one.arrives)).status).toBe(200)
  const { written_off: loss, open } = await read(id)
  const [lost, vat] = await lostAndVat()
  expect({ loss, open, vat, balance: await balance(), deposits: await deposits() }).toEqual(one.after)
  expect(lost).toBe(one.after.loss)
  expect(await verifyLedger(db)).toEqual([])
})

test('a dispute won after the bill was written off takes the loss back, once', async () => {
  await addCard(ana)
  const id = await bill()
  const paid = await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: id })
  await lose(Number(paid.one.id), 2420)
  await onBill(id, 'writeOff', {})
  expect(await lostAndVat()).toEqual([24.2, 4.2])
  await lose(Number(paid.one.id), 2420, 'won')
  await lose(Number(paid.one.id), 2420, 'won')
  expect([await balance(), await deposits(), await lostAndVat()]).toEqual([0, 0, [0, 4.2]])
  expect(await read(id)).toEqual({ status: 'paid', paid: 24.2, credited: 0, written_off: 0, open: 0 })
})

test.each([
  ['for it', (id: number) => ({ purpose: 'service_bill', invoice_id: id })],
  ['that would pay it first', () => ({ net: 50 })],
])('a bill is not written off while a payment %s is pending', async (_, payment) => {
  await addCard(ana, 'sca')
  const id = await bill()
  const paying = await pay(portal.as(ana), payment(id))
  expect(paying.one.attributes?.status).toBe('requires_action')
  expect((await onBill(id, 'writeOff', {})).faults).toEqual(['409 bill_payment_pending'])
  expect(await read(id)).toMatchObject({ written_off: 0, open: 24.2 })
})

test('a line of a statement that quotes a written-off bill is proposed for it, and takes the loss back', async () => {
  const id = await bill()
  await onBill(id, 'writeOff', {})
  const { one } = await portal.as(ana).get(`${base}/invoices/${id}`)
  const number = String(one.attributes?.full_number)
  for (const search of [number, '24.20']) {
    const { list } = await billing.get(`${base}/invoices?filter[payable]=${search}`)
    expect(list.map((found) => found.id)).toContain(String(id))
  }
  const statement = camt([{ amount: '24.20', text: number, day: '2026-11-02' }])
  expect((await importFile(billing, statement)).status).toBe(200)
  const lines = await billing.get(`${base}/bank-lines?filter[state]=open`)
  expect(lines.list).toHaveLength(1)
  const { match, candidates } = lines.list[0]?.attributes ?? {}
  expect([match, [candidates].flat()[0]]).toMatchObject([
    'likely',
    { invoice_id: id, due: 24.2, signs: ['number', 'amount'] },
  ])
  const line = lines.list[0]?.id
  const matched = await keyed(billing, `${base}/bank-lines/${line}/-actions/matchLine`, { invoice_id: id })
  expect(matched.status).toBe(200)
  expect([await balance(), await deposits(), await lostAndVat()]).toEqual([0, 0, [0, 4.2]])
  expect(await read(id)).toMatchObject({ status: 'paid', written_off: 0, open: 0 })
})
