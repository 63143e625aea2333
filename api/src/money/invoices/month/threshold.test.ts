import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { closeMonth } from '#money/invoices/month/close.ts'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { recordTransfer, targetOf } from '#money/payments/bank-transfers.ts'
import { transact } from '#platform/db/transact.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer, pay } from '#test/support/card.ts'
import { disputesOn } from '#test/support/disputes.ts'
import { newSeries } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime, used } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// What a month's bill adds to the sales to consumers abroad, of which a part may be taxed in the operator's country. A dollar is 4.5 lei.

const ports = await stripePortal()
const { portal, db, addCard } = ports
const { told, payments } = disputesOn(ports)
let hans: Account

beforeEach(async () => {
  await newSeries(portal.pool)
  await sql`update operator_profile set oss_registered = false, oss_threshold = 46337`.execute(db)
  await businessTime(portal.pool, '2026-10-03T10:00:00Z')
  hans = await makePayer(portal, null, { country: 'DE', company: false })
  await addCard(hans)
})
afterEach(() => sql`update operator_profile set oss_registered = true`.execute(db))

async function close(at: string): Promise<void> {
  await businessTime(portal.pool, at)
  await closeDueMonth(db, (_, error) => {
    throw error
  })
}

/** Lets so many lei be sold abroad up to a day until the threshold is reached. */
const leave = (lei: number, on: string) =>
  sql`update operator_profile set oss_threshold = ${lei} + (
    select coalesce(sum(net * coalesce(fx_rate, 1)), 0) from invoices
    where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
      and tax_point_date <= ${on}::date)`.execute(db)

async function lastBill({ id } = hans) {
  const { vat_treatment, net } = await db
    .selectFrom('invoices')
    .select(['vat_treatment', 'net'])
    .where('client_id', '=', id)
    .where('reason', '=', 'service_bill')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return [vat_treatment, net]
}

test.each([
  [22.5, 'origin'],
  [22.49, 'destination'],
])(
  'of a bill with a disputed part, what was not sold before counts: with %d lei left it is %s',
  async (left, treatment) => {
    await pay(portal.as(hans), { net: 50 })
    await used(db, hans, ['2026-10-05'], '20')
    await close('2026-11-01T10:00:00Z')
    const [payment] = await payments(hans.id)
    if (!payment) throw new Error('Nothing was paid.')
    await told('lost', 6050, payment)
    await used(db, hans, ['2026-11-05'], '5')
    await leave(left, '2026-11-30')
    await close('2026-12-01T10:00:00Z')
    expect(await lastBill()).toEqual([treatment, '25.00'])
  },
)

test.each([
  [67.5, 'origin'],
  [67.49, 'destination'],
])(
  'a disputed part counts once for those whose bills are made after it: with %d lei left the next one is %s',
  async (left, treatment) => {
    const greta = await makePayer(portal, null, { country: 'DE', company: false })
    await pay(portal.as(hans), { net: 50 })
    await used(db, hans, ['2026-10-05'], '20')
    await close('2026-11-01T10:00:00Z')
    const [payment] = await payments(hans.id)
    if (!payment) throw new Error('Nothing was paid.')
    await told('lost', 6050, payment)
    await used(db, hans, ['2026-11-05'], '5')
    await used(db, greta, ['2026-11-05'], '10')
    await leave(left, '2026-11-30')
    await businessTime(portal.pool, '2026-12-01T10:00:00Z')
    const month = { from: '2026-11-01', until: '2026-12-01' }
    for (const { id } of [hans, greta]) await db.transaction().execute((tx) => closeMonth(tx, id, month))
    expect(await lastBill()).toEqual(['origin', '25.00'])
    expect(await lastBill(greta)).toEqual([treatment, '10.00'])
  },
)

/** A manual invoice of 25 dollars. */
async function invoiced(): Promise<number> {
  const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
  const made = await keyed(billing, `${base}/desk-clients/${hans.id}/-actions/manualInvoice`, {
    lines: [{ description_en: 'Set-up', quantity: 1, unit_price: 25 }],
  })
  expect(made.faults).toEqual([])
  return JSON.parse(made.text).invoice_id
}

test('the money of a bill that is credited keeps the rule of the bill', async () => {
  // 25 dollars are 112.50 lei; what was paid with German VAT is 24.59 dollars and Romanian VAT, too.
  await leave(112, '2026-10-03')
  const id = await invoiced()
  expect((await pay(portal.as(hans), { purpose: 'service_bill', invoice_id: id })).faults).toEqual([])
  const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
  const credited = await keyed(billing, `${base}/invoices/${id}/-actions/creditNote`, {
    reason: 'Not wanted',
  })
  expect(credited.faults).toEqual([])
  const rows = await db
    .selectFrom('invoices')
    .select(['kind', 'vat_treatment', 'net'])
    .where('client_id', '=', hans.id)
    .where('kind', '<>', 'proforma')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { kind: 'fiscal', vat_treatment: 'destination', net: '25.00' },
    { kind: 'credit_note', vat_treatment: 'destination', net: '-25.00' },
    { kind: 'fiscal', vat_treatment: 'destination', net: '25.00' },
  ])
})

test('money of a bill that is won back after the bill was credited keeps the rule of the bill', async () => {
  await leave(112, '2026-10-03')
  const id = await invoiced()
  await pay(portal.as(hans), { purpose: 'service_bill', invoice_id: id })
  const [payment] = await payments(hans.id)
  if (!payment) throw new Error('Nothing was paid.')
  await told('lost', 2975, payment)
  const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
  await keyed(billing, `${base}/invoices/${id}/-actions/creditNote`, { reason: 'Not wanted' })
  await told('won', 2975, payment)
  const rows = await db
    .selectFrom('invoices')
    .select(['vat_treatment', 'net', 'total'])
    .where('client_id', '=', hans.id)
    .where('reason', '=', 'advance')
    .where('kind', '=', 'fiscal')
    .execute()
  expect(rows).toEqual([{ vat_treatment: 'destination', net: '25.00', total: '29.75' }])
})

test('a transfer that only pays a bill needs no exchange rate', async () => {
  const id = await invoiced()
  const bill = await db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const tx = await db.startTransaction().execute()
  try {
    await sql`delete from fx_rates`.execute(tx)
    const received = { receivedOn: '2026-10-03', reference: 'Bill', recordedBy: null }
    const paid = await recordTransfer(tx, targetOf(bill), { ...received, amount: bill.total })
    expect(paid).toMatchObject({ net: '25.00', advance_invoice_id: null })
    await expect(
      recordTransfer(tx, targetOf(bill), { ...received, reference: 'Bill and more', amount: '50' }),
    ).rejects.toMatchObject({ code: 'documents_need_exchange_rate' })
  } finally {
    await tx.rollback().execute()
  }
})

test.each([
  [90, 'origin'],
  [89.99, 'destination'],
])(
  'of a bill that a deposit pays in part, the rest counts: with %d lei left it is %s',
  async (left, treatment) => {
    await pay(portal.as(hans), { net: 50 })
    await used(db, hans, ['2026-10-05'], '70')
    await leave(left, '2026-10-31')
    await close('2026-11-01T10:00:00Z')
    expect(await lastBill()).toEqual([treatment, '20.00'])
  },
)

test('of two sales at one moment the second is decided by the first, and keeps the sums that decided it', async () => {
  const greta = await makePayer(portal, null, { country: 'DE', company: false })
  await leave(700, '2026-10-03')
  const buy = ({ id: clientId }: Account) =>
    transact(db, 'read write', (tx) => issueInvoice(tx, { clientId, sum: { net: '100' } }))
  const other = await db.transaction().execute(async (tx) => {
    await issueInvoice(tx, { clientId: hans.id, sum: { net: '100' } })
    const second = buy(greta)
    await untilBlocked(portal.pool)
    return { second }
  })
  await other.second
  const { oss_threshold } = await db
    .selectFrom('operator_profile')
    .select('oss_threshold')
    .executeTakeFirstOrThrow()
  const sold = new Big(oss_threshold).minus(700)
  const known = { year: 2026, currency: 'RON', threshold: new Big(oss_threshold).toFixed(2), sale: '450.00' }
  const ofEach = await Promise.all(
    [hans, greta].map(({ id }) =>
      db
        .selectFrom('invoices')
        .select(['vat_treatment', 'vat_evidence'])
        .where('client_id', '=', id)
        .execute(),
    ),
  )
  expect(ofEach.flat()).toMatchObject([
    { vat_treatment: 'origin', vat_evidence: { threshold: { ...known, sold: sold.toFixed(2) } } },
    {
      vat_treatment: 'destination',
      vat_evidence: { threshold: { ...known, sold: sold.plus(450).toFixed(2) } },
    },
  ])
})
