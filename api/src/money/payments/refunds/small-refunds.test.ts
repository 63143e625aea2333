import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { electronicInvoices } from '#test/support/electronic.ts'
import { testVault } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { sendRefund } from './refunds.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const scope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
let ana: Account
let billing: Visitor

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  ana = await makePayer(portal)
  await addCard(portal, ana)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
  await electronicInvoices(pool, ana.id)
})

/** A refund that goes at once, and its parts. */
async function refunded(payment: string, amount: number) {
  const url = `${base}/transactions/${payment}/-actions/refund`
  const answer = await keyed(portal.as(ana), url, { data: { amount, reason: 'Rounding' } })
  if (answer.status !== 200) return answer.errors[0]?.code
  const { refund_id, vat } = JSON.parse(answer.text)
  await sendRefund(scope, refund_id)
  return vat
}

/** The VAT of the credit notes, as documents and in the books. */
async function creditedVat() {
  const { rows } = await sql<{ documents: number; books: number }>`select
    (select -sum(vat)::float from invoices where client_id = ${ana.id} and kind = 'credit_note') as documents,
    (select -sum(e.amount)::float from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'vat_payable'
      join ledger_transactions t on t.id = e.transaction_id
      where t.client_id = ${ana.id} and t.kind in ('refund', 'correction')) as books`.execute(db)
  return rows[0]
}

test('many small refunds give back no more VAT than one, and there are at most ten', async () => {
  const paid = await pay(portal.as(ana), { net: 5 })
  const payment = String(paid.one.id)
  const parts: unknown[] = []
  for (let n = 0; n < 10; n++) parts.push(await refunded(payment, 0.03))
  // Of 0.30 the VAT is 0.063.
  expect(parts.reduce<number>((sum, vat) => sum + Number(vat), 0)).toBeCloseTo(0.06)
  expect(await creditedVat()).toEqual({ documents: 0.06, books: 0.06 })
  expect(await refunded(payment, 0.03)).toBe('refunds_most')
  const url = `${base}/transactions/${payment}/-actions/refund`
  const rest = await keyed(billing, url, { data: { reason: 'The rest' } })
  expect(JSON.parse(rest.text)).toMatchObject({ net: 4.7, vat: 0.99, gross: 5.69 })
})

test('many small credit notes take no more VAT than one, and the last takes what is left', async () => {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 1 }]
  const made = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, {
    data: { lines },
  })
  const { invoice_id } = JSON.parse(made.text)
  const credit = (net?: number) =>
    keyed(billing, `${base}/invoices/${invoice_id}/-actions/creditNote`, {
      data: { reason: 'Rounding', net },
    })
  for (let n = 0; n < 10; n++) expect((await credit(0.03)).status).toBe(200)
  expect(await creditedVat()).toEqual({ documents: 0.06, books: 0.06 })
  expect(JSON.parse((await credit()).text)).toMatchObject({ total: -0.85 })
  expect(await creditedVat()).toEqual({ documents: 0.21, books: 0.21 })
})

test('lines that are credited one by one come to the invoice, and not to a cent more', async () => {
  const lines = Array.from({ length: 10 }, () => ({
    description_en: 'Set-up',
    quantity: 1,
    unit_price: 0.03,
  }))
  const made = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, {
    data: { lines },
  })
  const { invoice_id, total } = JSON.parse(made.text)
  expect(total).toBe(0.36)
  for (let line = 1; line <= 10; line++) {
    const data = { reason: 'Rounding', lines: [line] }
    const note = await keyed(billing, `${base}/invoices/${invoice_id}/-actions/creditNote`, { data })
    expect(JSON.parse(note.text)).toMatchObject({ deposit_id: null })
  }
  expect(await creditedVat()).toEqual({ documents: 0.06, books: 0.06 })
  const { attributes } = (await portal.as(ana).get(`${base}/invoices/${invoice_id}`)).one
  expect(attributes).toMatchObject({ status: 'cancelled', credited: 0.36, open: 0 })
})

test('staff refund a cent, which is the least that can be refunded', async () => {
  const paid = await pay(portal.as(ana), { net: 5 })
  const refund = (amount: number) =>
    keyed(billing, `${base}/transactions/${paid.one.id}/-actions/refund`, {
      data: { amount, reason: 'A cent' },
    })
  expect((await refund(0)).status).toBe(422)
  const { refund_id, net, vat, gross } = JSON.parse((await refund(0.01)).text)
  expect({ net, vat, gross }).toEqual({ net: 0.01, vat: 0, gross: 0.01 })
  await sendRefund(scope, refund_id)
  const { attributes } = (await portal.as(ana).get(`${base}/transactions/${paid.one.id}`)).one
  expect(attributes).toMatchObject({ status: 'partially_refunded', refunded: 0.01 })
})
