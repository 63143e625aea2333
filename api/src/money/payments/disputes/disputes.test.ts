import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { readDispute } from '#money/payments/disputes/disputes.ts'
import type { PaymentProvider } from '#money/payments/providers/payment-provider.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer, pay } from '#test/support/card.ts'
import { newSeries } from '#test/support/documents.ts'
import { electronicInvoices } from '#test/support/electronic.ts'
import { businessTime, used } from '#test/support/money.ts'
import { stripePortal } from '#test/support/stripe-portal.ts'

const { stripe, payments, portal, db, paymentScope, addCard, deliver, workOff } = await stripePortal()
const { pool } = portal
let ana: Account

beforeEach(async () => {
  await sql`update client_entities set city = null`.execute(db)
  await newSeries(pool)
  await businessTime(pool, '2026-10-03T10:00:00Z')
  ana = await makePayer(portal)
  await addCard(ana)
})

const payment = () =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('client_id', '=', ana.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()

/** Stripe's record of a dispute of the first payment. */
async function disputed(amount = 6050): Promise<{ id: string }> {
  const { id, provider_ref } = await payment()
  const moves = [{ object: 'balance_transaction', fee: 1500, currency: 'eur' }]
  const thing = {
    id: `dp_${id}`,
    object: 'dispute',
    payment_intent: provider_ref,
    currency: 'usd',
    amount,
    status: 'needs_response',
    balance_transactions: moves,
  }
  stripe.things.set(thing.id, thing)
  return thing
}

/** The bank's decision, of which Stripe writes twice. */
async function decided(thing: { id: string }, status: 'lost' | 'won' | 'appeal_under_review', fee = 1500) {
  Object.assign(thing, { status, balance_transactions: [{ fee, currency: 'eur' }] })
  for (let n = 0; n < 2; n++)
    expect(await deliver(stripe.event('charge.dispute.updated', { id: thing.id }))).toBe(200)
  await workOff()
}

const paysIn = (net: number) => pay(portal.as(ana), { net })

async function close(at: string): Promise<void> {
  await businessTime(pool, at)
  await closeDueMonth(db, (_, error) => {
    throw error
  })
}

async function documents() {
  const { list } = await portal
    .as(ana)
    .get(`${base}/invoices?sort=-issue_date&filter[without]=settled_proformas`)
  return list
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(
      ({ attributes }) =>
        `${attributes?.kind} ${attributes?.reason} ${attributes?.total} ${attributes?.status}`,
    )
}

async function held() {
  const { rows } = await sql<{ kind: string; balance: number }>`select kind, balance::float as balance
    from ledger_accounts where client_id = ${ana.id} and kind <> 'client_credit' order by kind`.execute(db)
  return rows.map(({ balance }) => balance)
}

/** The VAT in the books of the client, and on the client's documents. */
async function vat() {
  const { rows } = await sql<{ books: number; documents: number }>`select
    (select coalesce(sum(e.amount), 0)::float from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      join ledger_accounts a on a.id = e.account_id
      where t.client_id = ${ana.id} and a.kind = 'vat_payable') as books,
    (select coalesce(sum(vat), 0)::float from invoices where client_id = ${ana.id} and kind <> 'proforma') as documents`.execute(
    db,
  )
  expect(rows[0]?.books).toBe(rows[0]?.documents)
  return rows[0]?.books
}

/** The balance of the client's payments at the provider, by the ledger. */
async function atProvider() {
  const { rows } = await sql<{
    sum: number
  }>`select coalesce(-sum(e.amount), 0)::float as sum from ledger_entries e
    join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
    where t.client_id = ${ana.id} and a.kind = 'psp_clearing'`.execute(db)
  return rows[0]?.sum
}

const lastLines = async () => {
  const { list } = await portal.as(ana).get(`${base}/invoices?sort=-number&filter[kind]=fiscal`)
  const [last] = list.filter(({ attributes }) => attributes?.reason === 'service_bill')
  const lines = (last?.attributes?.lines ?? []) as { description_en: string; net: number }[]
  return lines.map(({ description_en, net }) => [description_en.replace(/, .*/, ''), net])
}

/** A deposit of 50, of which October used 20, and the dispute of it. */
async function halfUsed() {
  await paysIn(50)
  await used(db, ana, ['2026-10-05'], '20')
  await close('2026-11-01T02:00:00Z')
  await businessTime(pool, '2026-11-10T10:00:00Z')
  return disputed()
}

test('a lost dispute credits what was not used, and the next bill asks for what was', async () => {
  const thing = await halfUsed()
  await decided(thing, 'lost')
  expect(await documents()).toEqual([
    'fiscal advance 60.5 paid',
    'fiscal service_bill 0 paid',
    'credit_note storno -36.3 paid',
  ])
  expect(await held()).toEqual([-20, -4.2])
  expect([await vat(), await atProvider()]).toEqual([4.2, 0])
  // The debt runs from the day of the dispute, and dunning with it.
  const { rows: owed } =
    await sql`select negative_since from account_balances where client_id = ${ana.id}`.execute(db)
  expect(owed).toEqual([{ negative_since: '2026-11-10' }])

  await used(db, ana, ['2026-11-05'], '5')
  await close('2026-12-01T02:00:00Z')
  await close('2026-12-01T03:00:00Z')
  expect((await documents()).slice(3)).toEqual([
    'credit_note storno -24.2 paid',
    'fiscal service_bill 30.25 unpaid',
  ])
  const { advance_invoice_id } = await payment()
  const { full_number } = await db
    .selectFrom('invoices')
    .select('full_number')
    .where('id', '=', advance_invoice_id)
    .executeTakeFirstOrThrow()
  expect(await lastLines()).toEqual([
    ['Hosting', 5],
    [`Services paid with advance ${full_number}`, 20],
  ])
  expect(await held()).toEqual([-25, -5.25])
  expect(await vat()).toBe(5.25)
  expect((await electronicInvoices(pool, ana.id)).size).toBe(5)

  await paysIn(25)
  expect(await held()).toEqual([0, 0])
})

test('the fee of the provider is a cost in its currency, until the provider gives it back', async () => {
  const fees = async () => {
    const { rows } = await sql<{ code: string; sum: number }>`select a.code, sum(e.amount)::float as sum
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.code in ('fees:EUR', 'psp:stripe:EUR') group by a.code order by 1`.execute(db)
    return Object.fromEntries(rows.map(({ code, sum: total }) => [code, total]))
  }
  const before = await fees()
  await paysIn(50)
  const thing = await disputed()
  await decided(thing, 'lost')
  const lost = await fees()
  expect((lost['fees:EUR'] ?? 0) - (before['fees:EUR'] ?? 0)).toBe(-15)
  expect((lost['psp:stripe:EUR'] ?? 0) - (before['psp:stripe:EUR'] ?? 0)).toBe(15)
  await decided(thing, 'won', 0)
  expect(await fees()).toMatchObject({ 'fees:EUR': before['fees:EUR'] ?? 0 })
})

test.each([
  ['before the next bill', []],
  ['and lost and won again', ['lost', 'won']],
] as const)('won after all %s, everything is as it was', async (_, more) => {
  const thing = await halfUsed()
  for (const end of ['lost', 'appeal_under_review', 'won', ...more] as const) {
    await decided(thing, end)
    if (end === 'lost') expect([await vat(), await held(), await atProvider()]).toEqual([4.2, [-20, -4.2], 0])
  }
  expect(await held()).toEqual([30, 0])
  expect([await vat(), await atProvider()]).toEqual([10.5, 60.5])
  await used(db, ana, ['2026-11-05'], '30')
  await close('2026-12-01T02:00:00Z')
  expect((await documents()).at(-1)).toBe('fiscal service_bill 0 paid')
  expect(await held()).toEqual([0, 0])
  expect((await payment()).status).toBe('succeeded')
})

test('won after the next bill asked for it, the money pays that bill, and the rest is a deposit', async () => {
  const thing = await halfUsed()
  await decided(thing, 'lost')
  await used(db, ana, ['2026-11-05'], '5')
  await close('2026-12-01T02:00:00Z')
  await decided(thing, 'won')
  // Of the bill of 30.25 it pays the part of 24.20; the unused 36.30 is a deposit again.
  expect((await documents()).slice(4)).toEqual([
    'fiscal service_bill 30.25 partially_paid',
    'fiscal advance 36.3 paid',
  ])
  expect(await held()).toEqual([25, -1.05])
  expect([await vat(), await atProvider()]).toEqual([11.55, 60.5])
})

test('won after the client paid the bill, all of it is a deposit', async () => {
  const thing = await halfUsed()
  await decided(thing, 'lost')
  await close('2026-12-01T02:00:00Z')
  const [bill] = (await portal.as(ana).get(`${base}/invoices?filter[status]=unpaid`)).list
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: Number(bill?.id) })
  expect(await held()).toEqual([0, 0])
  await decided(thing, 'won')
  expect(await held()).toEqual([50, 0])
  expect([await vat(), await atProvider()]).toEqual([14.7, 84.7])
})

test('a lost payment of a bill opens the bill again, and won it is paid again', async () => {
  await used(db, ana, ['2026-10-05'], '20')
  await close('2026-11-01T02:00:00Z')
  const [bill] = (await portal.as(ana).get(`${base}/invoices?filter[status]=unpaid`)).list
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: Number(bill?.id) })
  const thing = await disputed(2420)
  await decided(thing, 'lost')
  expect(await documents()).toEqual(['fiscal service_bill 24.2 unpaid'])
  expect(await held()).toEqual([-20, -4.2])
  await decided(thing, 'won')
  expect(await documents()).toEqual(['fiscal service_bill 24.2 paid'])
  expect(await held()).toEqual([0, 0])
})

test('a reading that a newer one overtook changes nothing', async () => {
  await paysIn(50)
  const thing = await disputed()
  await decided(thing, 'lost')
  const stale = await payments.current.getDispute(thing.id)
  let asked = 0
  const late: PaymentProvider = Object.assign(Object.create(payments.current), {
    getDispute: async (ref: string) => {
      if (++asked > 1) return payments.current.getDispute(ref)
      await decided(thing, 'won')
      return stale
    },
  })
  const overtaken = { ...paymentScope, payments: { ...payments, of: () => late } }
  await readDispute(overtaken, 'stripe', thing.id)
  expect(asked).toBe(2)
  expect(await held()).toEqual([50, 0])
})
