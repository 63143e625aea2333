import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { splitGross, vatOn } from '#money/invoices/vat/vat.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { minor, paymentOf } from '#money/payments/providers/stripe/stripe-objects.ts'
import { refundableDeposits } from '#money/payments/refunds/refundable-deposits.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { rateUsage } from '#usage/charging.ts'

const portal = await testPortal({ poolSize: 8 })
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let kata: Account

beforeAll(async () => {
  await businessTime(pool, '2026-09-03T10:00:00Z')
  await makeOperator(pool)
  await sql`insert into currencies (code, name, symbol, decimals) values ('HUF', 'Forint', 'Ft', 0)`.execute(
    db,
  )
  await sql`insert into currency_policies (currency_id, position, trial_credit, warn_below, credit_limit, deposit_least,
      deposit_most, quick_amounts, threshold_least, threshold_usual, recharge_least, recharge_usual, cap_most)
    select id, 9, 0, 0, 0, 100, 1000000, array[1000], 100, 500, 100, 500, 1000000 from currencies where code = 'HUF'`.execute(
    db,
  )
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    values ('HUF', 'RON', '2020-01-01', 0.012653, 'recorded')`.execute(db)
  await offerCurrencies(pool, 'HUF')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  kata = await makePayer(portal, null, { currency: 'HUF', country: 'HU', company: false })
})

/** The documents of the account, each net + VAT. */
async function documents(): Promise<readonly string[]> {
  expect(await verifyLedger(db)).toEqual([])
  const { list } = await portal.as(kata).get(`${base}/invoices?sort=number&page[size]=50`)
  return list
    .map(({ attributes: a }) => `${a?.kind} ${a?.reason} ${a?.net} + ${a?.vat}`)
    .sort((one, other) => one.localeCompare(other))
}

test('currencies without minor units are rounded to whole units, others to hundredths', () => {
  expect(['HUF', 'JPY', 'EUR', 'RON'].map(minorUnits)).toEqual([0, 0, 2, 2])
  expect(vatOn(new Big(777), '27', 'HUF').toFixed()).toBe('210')
  expect(vatOn(new Big('7.77'), '27', 'EUR').toFixed()).toBe('2.1')
  const { net, vat } = splitGross(new Big(1000), '27', 'JPY')
  expect([net.toFixed(), vat.toFixed()]).toEqual(['787', '213'])
})

test('Stripe is asked for yen as they are, and for forints in hundredths', () => {
  expect([minor('500.00', 'JPY'), minor('500.00', 'HUF'), minor('5.00', 'EUR')]).toEqual([500, 50_000, 500])
  expect(() => minor('500.50', 'JPY')).toThrow('cannot be charged')
  const seen = { id: 'pi', status: 'succeeded', amount: 500, amount_received: 500 } as const
  // Only the fields that the mapping reads.
  const intent = (currency: string) => ({ ...seen, currency }) as Parameters<typeof paymentOf>[0]
  expect([paymentOf(intent('jpy')).amount, paymentOf(intent('huf')).amount]).toEqual(['500.00', '5.00'])
})

test('no table row of a currency can say other decimals than documents have', async () => {
  const { rows } = await sql<{
    code: string
    decimals: number
  }>`select code, decimals from currencies`.execute(db)
  for (const { code, decimals } of rows) expect([code, decimals]).toEqual([code, minorUnits(code)])
  await expect(
    sql`insert into currencies (code, name, symbol, decimals) values ('JPY', 'Yen', '¥', 2)`.execute(db),
  ).rejects.toMatchObject({ constraint: 'currencies_minor_units' })
})

test('a deposit, a proforma by transfer, a bill and a refund in forints are whole', async () => {
  await addCard(portal, kata)
  const odd = await pay(portal.as(kata), { net: 777.5 })
  expect(odd.faults).toEqual(['422 amount_decimals_most'])
  const paid = await pay(portal.as(kata), { net: 777 })
  expect(paid.status).toBe(201)

  const asked = await keyed(portal.as(kata), `${base}/invoices/-actions/requestProforma`, { net: 1001 })
  const { full_number: number } = JSON.parse(asked.text)
  const half = camt([{ amount: '1271.50', text: number }], { currency: 'HUF' })
  expect((await importFile(billing, half)).faults).toEqual(['422 statement_line_invalid'])
  const whole = camt([{ amount: '1271.00', text: number, reference: 'HUF1', day: '2026-09-02' }], {
    currency: 'HUF',
  })
  expect((await importFile(billing, whole)).status).toBe(200)
  const done = await billing.post(`${base}/bank-lines/-actions/confirmCertain`, {})
  expect(JSON.parse(done.text)).toMatchObject({ confirmed: 1, failed: 0 })

  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select '2026-09-03', ${kata.panels[0]}, 'panel', m.id, 100.7 / 0.0008, 1 from meters m where m.code = 'panel_hours'`.execute(
    db,
  )
  await rateUsage(db)
  await sql`select charge_client_day(${kata.id}, '2026-09-03')`.execute(db)
  await businessTime(pool, '2026-10-02T10:00:00Z')
  const month = { from: '2026-09-01', until: '2026-10-01' }
  await db.transaction().execute((tx) => closeMonth(tx, kata.id, month))

  const refund = `${base}/transactions/${paid.one.id}/-actions/refund`
  expect((await keyed(billing, refund, { reason: 'x', amount: 0.5 })).faults).toEqual([
    '422 amount_decimals_most',
  ])
  expect((await keyed(billing, refund, { reason: 'x', amount: 333 })).status).toBe(200)
  const { rows } = await sql`select net, vat from payment_refunds where client_id = ${kata.id}`.execute(db)
  expect(rows).toEqual([{ net: '333.00', vat: '90.00' }])
  const ofKata = (verb: string, input: object) =>
    keyed(billing, `${base}/desk-clients/${kata.id}/-actions/${verb}`, input)
  expect((await ofKata('goodwill', { amount: 0.5 })).faults).toEqual(['422 amount_decimals_most'])
  expect((await ofKata('adjust', { amount: 1.5, direction: 'up' })).faults).toEqual([
    '422 amount_decimals_most',
  ])
  expect((await ofKata('adjust', { amount: 2, direction: 'up' })).status).toBe(200)
  expect(await documents()).toEqual([
    'fiscal advance 1001 + 270',
    'fiscal advance 777 + 210',
    'fiscal service_bill 0 + 0',
    'proforma advance 1001 + 270',
    'proforma advance 777 + 210',
  ])
})

test('what a bill in forints deducts of advances is booked in whole forints', async () => {
  const period = { kind: 'datev', from_day: '2026-09-01', to_day: '2026-10-31' }
  const made = await billing.post(`${base}/accounting-exports`, {
    data: { type: 'accounting-exports', attributes: period },
  })
  const { text } = await billing.get(`${base}/accounting-exports/${made.one.id}/-actions/download`)
  const bookings = text.trimEnd().split('\r\n').slice(2)
  const sums = bookings.map((line) => line.split(';')).filter(([, , currency]) => currency === 'HUF')
  expect(sums.length).toBeGreaterThan(2)
  expect(sums.filter(([sum]) => !/^\d+(,00)?$/.test(sum ?? ''))).toEqual([])
})

test('staff invoice, credit and write off whole forints', async () => {
  const ofKata = (path: string, input: object) => keyed(billing, `${base}/${path}`, { data: input })
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 5000 }]
  const sold = await ofKata(`desk-clients/${kata.id}/-actions/manualInvoice`, { lines })
  const { invoice_id: bill } = JSON.parse(sold.text)
  const half = ['422 amount_decimals_most']
  const odd = [{ description_en: 'Hours', quantity: 3, unit_price: 10.33 }]
  expect((await ofKata(`desk-clients/${kata.id}/-actions/manualInvoice`, { lines: odd })).faults).toEqual(
    half,
  )
  expect((await ofKata(`invoices/${bill}/-actions/creditNote`, { reason: 'x', net: 0.5 })).faults).toEqual(
    half,
  )
  expect((await ofKata(`invoices/${bill}/-actions/writeOff`, { amount: 0.5 })).faults).toEqual(half)
  expect((await ofKata(`invoices/${bill}/-actions/writeOff`, { amount: 2 })).status).toBe(200)
})

test('what a deposit has in a bill whose line is credited is in whole forints, with VAT', async () => {
  await businessTime(pool, '2026-10-02T10:00:00Z')
  const eva = await makePayer(portal, null, { currency: 'HUF', country: 'HU', company: false })
  await addCard(portal, eva)
  const paid = await pay(portal.as(eva), { net: 1000 })
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select '2026-10-02', ${eva.panels[0]}, 'panel', m.id, 333 / 0.0008, 1 from meters m where m.code = 'panel_hours'`.execute(
    db,
  )
  await rateUsage(db)
  await sql`select charge_client_day(${eva.id}, '2026-10-02')`.execute(db)
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, eva.id, month))
  const credit = `${base}/invoices/${bill?.id}/-actions/creditNote`
  expect((await keyed(billing, credit, { reason: 'x', lines: [1] })).faults).toEqual([])
  const { rows } = await sql`select d.is_own, d.most from payments p
    cross join lateral ${refundableDeposits(sql`p`)} d where p.id = ${Number(paid.one.id)} order by d.is_own`.execute(
    db,
  )
  // 333 and 27 % of it, which are 89.91.
  expect(rows).toEqual([
    { is_own: false, most: '423' },
    { is_own: true, most: null },
  ])
})
