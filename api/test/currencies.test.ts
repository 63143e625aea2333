import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluateOne } from '#money/balance/balances.ts'
import { documentMaker } from '#money/invoices/documents/document-maker.ts'
import { makeInvoiceFiles } from '#money/invoices/files.ts'
import { issueProforma } from '#money/invoices/invoices.ts'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { chargeIfLow } from '#money/payments/automatic/automated-billing.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { systemClock } from '#platform/clock.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { rateUsage } from '#usage/charging.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { makeOperator } from './support/documents.ts'
import { only, TestEngine } from './support/engine.ts'
import { testVault } from './support/mail.ts'
import { businessTime } from './support/money.ts'
import { type Newcomer, offerCurrencies, signUp } from './support/newcomer.ts'
import { readPdf } from './support/pdf.ts'
import { tokenSecret } from './support/secret.ts'
import { temporaryFolder } from './support/temporary.ts'

const { pool } = await testDatabase(8)
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const files = { storage: await localStorage(folder), scanner: noScanner }
const portal = await testApp(pool, { env: { rateLimitScale: 100_000 }, files })
const press = { pool, vault: testVault, storage: files.storage, documents: documentMaker() }
const payments = paymentsOf(
  { stripe: undefined, publicUrl: 'http://localhost:3000' },
  { pool, clock: systemClock, secret: tokenSecret },
)
const paymentScope = paymentScopeOn({ pool, vault: testVault, payments })
const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }

beforeAll(async () => {
  await makeOperator(pool)
  await offerCurrencies(pool, 'RON', 'EUR')
})
afterAll(async () => {
  await press.documents.close()
  remove()
})

const resource = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships && { relationships }) },
})

const linkTo = (type: string, id: string) => ({ data: { type, id } })

async function addCard(one: Newcomer): Promise<string> {
  const setup = (await one.send('POST', 'stripe-setup-intents', resource('stripe-setup-intents', {}))).json
    .data
  const { provider_ref, client_secret } = setup.attributes
  const payload = { client_secret, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' }
  const url = `/api/sandbox/setup-intents/${provider_ref}/card`
  await one.browser.ask({ method: 'POST', url, payload })
  const confirmed = await one.send('POST', `stripe-setup-intents/${setup.id}/-actions/confirm`, { data: {} })
  return String(confirmed.json.card_id)
}

async function addPanel(one: Newcomer): Promise<number> {
  const [project] = (await one.get('projects')).json.data
  const relationships = { project: linkTo('projects', project.id) }
  const added = await one.send('POST', 'panels', resource('panels', { name: 'Shop' }, relationships))
  expect(added.status).toBe(201)
  return Number(added.json.data.id)
}

const pay = (one: Newcomer, attributes: object) =>
  one.send('POST', 'transactions', resource('transactions', attributes))

/** So much use of a panel on a day by the default prices of its currency, rated and charged. */
async function use(one: Newcomer, panel: number, day: string, amount: number): Promise<void> {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select ${day}, ${panel}, 'panel', m.id, ${String(amount)}::numeric / 0.0008, 1 from meters m where m.code = 'panel_hours'`.execute(
    db,
  )
  await rateUsage(db)
  await sql`select charge_client_day(${one.id}, ${day})`.execute(db)
}

const profileOf = async (one: Newcomer) => (await one.get(`billing-profiles/${one.id}`)).json.data.attributes

type Document = Record<
  'kind' | 'reason' | 'currency' | 'net' | 'vat' | 'total' | 'status' | 'local_currency' | 'vat_local',
  unknown
>

async function documentsOf(one: Newcomer, filter: string) {
  const rows: readonly { attributes: Document }[] = (await one.get(`invoices?${filter}`)).json.data
  return rows.map(({ attributes }) => {
    const { kind, reason, currency, net, vat, total, local_currency, vat_local, status } = attributes
    return { kind, reason, currency, net, vat, total, status, local: `${vat_local} ${local_currency}` }
  })
}

/** An amount as a document writes it. */
const inWords = (amount: string) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(Number(amount)).replace('-', '−')

const valuesOf = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, value]) => value)),
]

/** Every document of the account names its currency at lines, total and payment, and no other but that of VAT. */
async function expectDocumentsIn(one: Newcomer, currency: string, language: 'en' | 'ro'): Promise<void> {
  const issued = await db
    .selectFrom('invoices')
    .select(['id', 'kind', 'reason', 'net', 'total', 'paid'])
    .where('client_id', '=', one.id)
    .orderBy('id')
    .execute()
  expect(new Set(issued.map(({ kind, reason }) => `${kind} ${reason}`))).toEqual(
    new Set(['fiscal advance', 'fiscal service_bill', 'credit_note storno', 'proforma advance']),
  )
  const say = {
    en: { price: 'Unit price', net: 'Net', totalNet: 'Total without VAT', due: /^To be paid by / },
    ro: { price: 'Preț unitar', net: 'Valoare', totalNet: 'Total fără TVA', due: /^De plătit până la / },
  }[language]
  for (const { id, kind, reason, net, total } of issued) {
    expect(await makeInvoiceFiles(press, id)).toEqual([])
    const file = (what: string) => one.browser.get(`/api/v1/invoices/${id}/-actions/${what}`)
    const { rows } = await readPdf((await file('download')).rawPayload)
    expect(rows).toContainEqual(
      expect.stringContaining(`${say.price} (${currency}) ${say.net} (${currency})`),
    )
    expect(rows).toEqual(
      expect.arrayContaining([`${say.totalNet} ${inWords(net)}`, `Total (${currency}) ${inWords(total)}`]),
    )
    const isDue = kind === 'proforma' || reason === 'service_bill'
    expect(rows.filter((row) => say.due.test(row)).map((row) => row.split(': ')[1])).toEqual(
      isDue ? [`${inWords(total)} ${currency}.`] : [],
    )
    const written = rows.join('\n').match(/\b(?:USD|EUR|RON)\b/g)
    expect(new Set(written)).toEqual(new Set([currency, ...(currency === 'RON' ? [] : ['RON'])]))
    if (kind === 'proforma') continue
    const xml = (await file('xml')).body
    expect(valuesOf(xml, /<cbc:DocumentCurrencyCode>([^<]*)</g)).toEqual([currency])
    expect(valuesOf(xml, /<cbc:TaxCurrencyCode>([^<]*)</g)).toEqual(currency === 'RON' ? [] : ['RON'])
    const amounts = [...xml.matchAll(/<cbc:(\w+) currencyID="(\w+)">/g)]
    const other = amounts.filter(([, , code]) => code !== currency).map(([, name, code]) => `${name} ${code}`)
    // The VAT in lei, once for the whole document.
    expect(other).toEqual(currency === 'RON' ? [] : ['TaxAmount RON'])
    const named = amounts.map(([, name]) => name)
    expect(named).toEqual(
      expect.arrayContaining([
        'LineExtensionAmount',
        'TaxExclusiveAmount',
        'TaxInclusiveAmount',
        'PayableAmount',
        'PriceAmount',
      ]),
    )
    expect(valuesOf(xml, /<cbc:TaxInclusiveAmount currencyID="\w+">([^<]*)</g)).toEqual([
      total.replace('-', ''),
    ])
  }
}

const accounts = [
  // Amounts are multiples of the least ones in the currency; VAT in lei is declared without a rate of exchange.
  { country: 'RO', currency: 'RON', unit: 5, vat: 0.21, lei: 1, month: '2026-09', next: '2026-10' },
  { country: 'DE', currency: 'EUR', unit: 1, vat: 0.19, lei: 5, month: '2026-10', next: '2026-11' },
] as const

const cents = (amount: number) => Math.round(amount * 100) / 100

describe.each(accounts)('an account of $country', ({ country, currency, unit, vat, lei, month, next }) => {
  test('goes from sign-up to a paid bill, a refund and an automatic payment in its currency', async () => {
    await businessTime(pool, `${month}-03T10:00:00Z`)
    const one = await signUp(portal, pool, `${currency.toLowerCase()}@example.test`)
    expect((await one.tell(country)).status).toBe(201)
    const language = currency === 'RON' ? 'ro' : 'en'
    await sql`update clients set language_id = (select id from languages where code = ${language})
      where id = ${one.id}`.execute(db)
    expect(await profileOf(one)).toMatchObject({
      currency,
      credit_balance: 20 * unit,
      credit_limit: 50 * unit,
    })

    // A deposit, with its invoice.
    await addCard(one)
    expect((await pay(one, { purpose: 'deposit', net: 5 * unit - 0.01 })).codes).toEqual(['number_least'])
    const paid = await pay(one, { purpose: 'deposit', net: 50 * unit })
    expect([paid.status, paid.json.data.attributes]).toMatchObject([
      201,
      { status: 'succeeded', currency, net: 50 * unit, vat: cents(50 * unit * vat) },
    ])
    expect(await documentsOf(one, 'filter[kind]=fiscal')).toEqual([
      {
        kind: 'fiscal',
        reason: 'advance',
        currency,
        net: 50 * unit,
        vat: cents(50 * unit * vat),
        total: cents(50 * unit * (1 + vat)),
        status: 'paid',
        local: `${cents(cents(50 * unit * vat) * lei)} RON`,
      },
    ])

    // Half of it goes back, with a credit note.
    const refund = await one.send('POST', `transactions/${paid.json.data.id}/-actions/refund`, {
      data: { amount: 25 * unit, reason: 'Too much' },
    })
    expect(refund.json).toMatchObject({ status: 'pending', net: 25 * unit })
    await sendRefund(paymentScope, refund.json.refund_id)
    expect(await documentsOf(one, 'filter[kind]=credit_note')).toMatchObject([
      { currency, net: -25 * unit, status: 'paid' },
    ])
    expect(await profileOf(one)).toMatchObject({ account_balance: 25 * unit, credit_balance: 20 * unit })

    // Use takes the credit, then the money, and four more: dunning goes by the currency's own threshold.
    const panel = await addPanel(one)
    await use(one, panel, `${month}-02`, 47.5 * unit)
    expect(await profileOf(one)).toMatchObject({ account_balance: -2.5 * unit, banner: { show: false } })
    await use(one, panel, `${month}-01`, 1.5 * unit)
    expect(await profileOf(one)).toMatchObject({
      account_balance: -4 * unit,
      banner: { show: true, reason: 'balance', amount_due: 4 * unit },
    })
    await evaluateOne(outside, one.id)

    // The month is billed, and the bill is paid.
    await businessTime(pool, `${next}-02T10:00:00Z`)
    const failures: unknown[] = []
    await closeDueMonth(db, (_, error) => failures.push(error))
    expect(failures).toEqual([])
    const fiscal: readonly { id: string; attributes: Document & { open: number } }[] = (
      await one.get('invoices?filter[kind]=fiscal')
    ).json.data
    const bill = fiscal.find(({ attributes }) => attributes.reason === 'service_bill')
    expect(bill?.attributes).toMatchObject({ currency, net: 4 * unit, open: cents(4 * unit * (1 + vat)) })
    const settled = await pay(one, { purpose: 'service_bill', invoice_id: Number(bill?.id) })
    expect(settled.json.data.attributes).toMatchObject({ status: 'succeeded', currency, net: 4 * unit })
    expect((await one.get(`invoices/${bill?.id}`)).json.data.attributes).toMatchObject({
      status: 'paid',
      open: 0,
    })
    expect(await profileOf(one)).toMatchObject({ account_balance: 0, banner: { show: false } })

    // Automatic payment fills up what falls below its threshold.
    const rule = await one.send(
      'POST',
      'automated-billing-rules',
      resource(
        'automated-billing-rules',
        { threshold_amount: 15 * unit, recharge_amount: 50 * unit },
        { card: linkTo('cards', (await one.get('cards')).json.data[0].id) },
      ),
    )
    expect(rule.status).toBe(201)
    const consent = 'I let the portal charge my card when my balance is low. VAT is added on top.'
    await one.send('POST', `automated-billing-rules/${rule.json.data.id}/-actions/enable`, {
      data: { consent },
    })
    expect(await chargeIfLow(paymentScope, one.id)).toMatchObject({ outcome: 'charged' })
    const [charged] = (await one.get('transactions?filter[purpose]=auto_recharge')).json.data
    expect(charged.attributes).toMatchObject({ status: 'succeeded', currency, net: 50 * unit })
    expect(await profileOf(one)).toMatchObject({ account_balance: 50 * unit })

    // Documents, and what a transfer needs, name the currency wherever an amount stands.
    const proforma = await db
      .transaction()
      .execute((tx) => issueProforma(tx, { clientId: one.id, sum: { net: `${1250 * unit}` } }))
    expect((await one.get(`invoices/${proforma.id}`)).json.data.attributes).toMatchObject({
      currency,
      open: cents(1250 * unit * (1 + vat)),
      bank_details: { iban: 'RO49AAAA1B31007593840000', reference: proforma.fullNumber },
    })
    await expectDocumentsIn(one, currency, language)

    // Everything that was kept of it is in one currency, and so is what is exported.
    const { rows } = await sql<{ currency: string }>`
      select currency from payments where client_id = ${one.id} union select currency from invoices where client_id = ${one.id}
      union select currency from ledger_transactions where client_id = ${one.id}
      union select currency from usages where client_id = ${one.id}`.execute(db)
    expect(rows).toEqual([{ currency }])
    const asked = { group_by: ['day'], from: `${month}-01`, to: `${month}-02` }
    const summary = encodeURIComponent(JSON.stringify(asked))
    expect((await one.get(`usages/-actions/summary?payload=${summary}`)).json).toMatchObject({
      currency,
      totals: { rated_amount: 49 * unit },
    })
    const csv = await one.browser.ask({
      url: '/api/v1/billing-logs/-actions/export',
      headers: { authorization: `Bearer ${one.browser.cookies.get('token')}`, accept: 'text/csv' },
    })
    const lines = csv.body.trim().split('\r\n')
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      'currency',
      ...Array(lines.length - 1).fill(currency),
    ])
    expect(lines.length).toBeGreaterThan(5)
  })
})

test('the books of all of them agree', async () => {
  expect(await verifyLedger(db)).toEqual([])
  const { rows } = await sql<{ currency: string; sum: string }>`
    select currency, sum(amount)::text as sum from ledger_entries group by 1 order by 1`.execute(db)
  expect(rows.map(({ currency, sum }) => [currency, Number(sum)])).toEqual([
    ['EUR', 0],
    ['RON', 0],
  ])
})
