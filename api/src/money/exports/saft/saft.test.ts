import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { makeBuyer, makeDocuments, makeOperator } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { allAt, type Found, readSaft, schemaFaults, textAt } from '#test/support/saft.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/accounting-exports`
let billing: Visitor
let ana: Account

const order = (from_day: string, to_day: string) => ({
  data: { type: 'accounting-exports', attributes: { kind: 'saft', from_day, to_day } },
})

/** The month in which documents are issued here. */
let month: { from: string; to: string }

beforeAll(async () => {
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await makeDocuments(pool, ana)
  const { rows } = await sql<{ from: string; to: string }>`
    select date_trunc('month', operator_today())::date::text as from,
      (date_trunc('month', operator_today()) + interval '1 month - 1 day')::date::text as to`.execute(db)
  month = rows[0] ?? { from: '', to: '' }
})

async function exported(of = month): Promise<{ text: string; file: Found }> {
  const made = await billing.post(url, order(of.from, of.to))
  expect(made.status).toBe(201)
  const { status, text, headers } = await billing.get(`${url}/${made.one.id}/-actions/download`)
  expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
  expect(headers['content-disposition']).toContain(`saft-${of.from}-${of.to}.xml`)
  const file = readSaft(text)
  expect(schemaFaults(file)).toEqual([])
  return { text, file }
}

const salesOf = (file: Found): Found => {
  const [sales] = allAt(file, 'SourceDocuments/SalesInvoices')
  if (!sales) throw new Error('The file has no sales.')
  return sales
}

/** The tax of the first line of an invoice: kind, code, percent and amount. */
const taxOf = (invoice: Found) =>
  texts(
    invoice,
    ...['TaxType', 'TaxCode', 'TaxPercentage', 'TaxAmount/CurrencyAmount'].map(
      (one) => `InvoiceLine/TaxInformation/${one}`,
    ),
  )

const texts = (found: Found, ...paths: readonly string[]) => paths.map((path) => textAt(found, path))

/** Writes a name into a document that nobody can change, as an earlier version may have stored it. */
async function rename(number: string, name: string) {
  await sql`alter table invoices disable trigger user`.execute(db)
  await sql`update invoices set buyer = buyer || ${JSON.stringify({ name, address1: name, city: name })}::jsonb
    where full_number = ${number}`.execute(db)
  await sql`alter table invoices enable trigger user`.execute(db)
}

/** A client who paid an advance of ten, net, and how the invoice of it is in a file. */
async function soldTo(details: Parameters<typeof makeBuyer>[2], { currency = 'USD', name = '' } = {}) {
  const client = await makeAccount(pool, { projects: 1, panels: 1, opening: null, currency })
  await makeBuyer(pool, client, details)
  if (details?.vatNumber)
    await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
      values (${client.id}, ${details.vatNumber}, 'valid', 'test', clock_now())`.execute(db)
  const { fullNumber } = await db
    .transaction()
    .execute((tx) => issueInvoice(tx, { clientId: client.id, sum: { net: '10' } }))
  if (name !== '') await rename(fullNumber, name)
  const { file } = await exported()
  const invoice = allAt(salesOf(file), 'Invoice').find((one) => textAt(one, 'InvoiceNo') === fullNumber)
  if (!invoice) throw new Error(`The file has no ${fullNumber}.`)
  const id = textAt(invoice, 'CustomerInfo/CustomerID')
  const [customer, ...others] = allAt(file, 'MasterFiles/Customers/Customer').filter(
    (one) => textAt(one, 'CustomerID') === id,
  )
  expect(others).toEqual([])
  if (!customer) throw new Error(`The file has no customer ${id}.`)
  return { client, file, invoice, customer, id }
}

test('billing exports the sales of a month: an invoice and its credit note, in dollars and in lei', async () => {
  const { text, file } = await exported()
  expect(text).toContain('not to be filed alone')
  expect(texts(salesOf(file), 'NumberOfEntries', 'TotalDebit', 'TotalCredit')).toEqual([
    '2',
    '90.00',
    '225.00',
  ])
  const [invoice, note] = allAt(salesOf(file), 'Invoice')
  if (!invoice || !note) throw new Error('Documents are missing.')
  expect(texts(invoice, 'InvoiceType', 'AccountID', 'InvoiceLine/AccountID')).toEqual(['380', '4111', '419'])
  expect(texts(note, 'InvoiceType', 'InvoiceLine/DebitCreditIndicator', 'InvoiceLine/AccountID')).toEqual([
    '381',
    'D',
    '419',
  ])
  expect(textAt(note, 'InvoiceLine/References/CreditNote/Reference')).toBe(textAt(invoice, 'InvoiceNo'))
  expect(
    texts(
      note,
      ...['Amount', 'CurrencyCode', 'CurrencyAmount', 'ExchangeRate'].map(
        (one) => `InvoiceLine/InvoiceLineAmount/${one}`,
      ),
    ),
  ).toEqual(['90.00', 'USD', '20.00', '4.5000'])
  expect(
    texts(
      note,
      ...['TaxType', 'TaxCode', 'TaxPercentage', 'TaxBase', 'TaxAmount/Amount'].map(
        (one) => `InvoiceLine/TaxInformation/${one}`,
      ),
    ),
  ).toEqual(['300', '310344', '21.00', '90.00', '18.90'])
  expect(texts(note, 'InvoiceDocumentTotals/NetTotal', 'InvoiceDocumentTotals/GrossTotal')).toEqual([
    '-90.00',
    '-108.90',
  ])
})

test.each([
  ['a company in Romania', { vatNumber: 'RO12345674' }, /^0012345674$/, ['310344', '21.00', '2.10']],
  ['a person in Romania', { company: false }, /^04\d+$/, ['310344', '21.00', '2.10']],
  ['a consumer in Germany', { country: 'DE', company: false }, /^05DE\d+$/, ['310325', '19.00', '1.90']],
  [
    'a company in Germany whose number is valid',
    { country: 'DE', vatNumber: 'DE136695976' },
    /^01DE136695976$/,
    ['310307', '0.00', '0.00'],
  ],
  ['a company in America', { country: 'US' }, /^06US\d+$/, ['310305', '0.00', '0.00']],
] as const)('%s has its kind of identifier, and the sale its tax code', async (_, details, kind, tax) => {
  const { invoice, id, file } = await soldTo(details)
  expect(id).toMatch(kind)
  expect(
    texts(invoice, 'InvoiceLine/TaxInformation/TaxCode', 'InvoiceLine/TaxInformation/TaxPercentage'),
  ).toEqual(tax.slice(0, 2))
  expect(textAt(invoice, 'InvoiceLine/TaxInformation/TaxAmount/CurrencyAmount')).toBe(tax[2])
  const table = allAt(file, 'MasterFiles/TaxTable/TaxTableEntry/TaxCodeDetails')
  expect(
    table.filter((one) => textAt(one, 'TaxCode') === tax[0] && textAt(one, 'TaxPercentage') === tax[1]),
  ).toHaveLength(1)
})

test('an invoice in lei has no exchange rate', async () => {
  const { invoice } = await soldTo({}, { currency: 'RON' })
  const [amount] = allAt(invoice, 'InvoiceLine/InvoiceLineAmount')
  expect(amount?.children.map(({ name, text }) => [name, text])).toEqual([
    ['Amount', '10.00'],
    ['CurrencyCode', 'RON'],
    ['CurrencyAmount', '10.00'],
  ])
})

test('a long or hostile name is cut to whole characters, and cannot become elements', async () => {
  const hostile = `\u0001<Name>&"'\u000b]]>${'😀'.repeat(300)}`
  const { customer } = await soldTo({}, { name: hostile })
  const begin = `<Name>&"']]>`
  const cut = (most: number) => `${begin}${'😀'.repeat(most - begin.length)}`
  expect(
    texts(
      customer,
      ...['Name', 'Address/StreetName', 'Address/City'].map((one) => `CompanyStructure/${one}`),
    ),
  ).toEqual([cut(256), cut(70), cut(35)])
  const { customer: unseen } = await soldTo({}, { name: '\u0002\u0003' })
  expect(texts(unseen, 'CompanyStructure/Name', 'CompanyStructure/Address/City')).toEqual(['-', '-'])
})

test('a customer whose details changed is there once, as on the last document', async () => {
  const { client } = await soldTo({ vatNumber: 'RO18547290' }, { name: 'Before' })
  await sql`update client_entities set company_name = 'After' where client_id = ${client.id}`.execute(db)
  await db.transaction().execute((tx) => issueInvoice(tx, { clientId: client.id, sum: { net: '5' } }))
  const { file } = await exported()
  const names = allAt(file, 'MasterFiles/Customers/Customer')
    .filter((one) => textAt(one, 'CustomerID') === '0018547290')
    .map((one) => textAt(one, 'CompanyStructure/Name'))
  expect(names).toEqual(['After'])
})

test('a quarter and a month without documents have their kind of declaration', async () => {
  const quarter = await exported({ from: '2024-04-01', to: '2024-06-30' })
  expect(texts(quarter.file, 'Header/HeaderComment', 'Header/SelectionCriteria/PeriodEnd')).toEqual([
    'T',
    '6',
  ])
  expect(texts(salesOf(quarter.file), 'NumberOfEntries', 'TotalCredit')).toEqual(['0', '0.00'])
  const leap = await exported({ from: '2024-02-01', to: '2024-02-29' })
  expect(texts(leap.file, 'Header/HeaderComment', 'Header/SelectionCriteria/PeriodStart')).toEqual(['L', '2'])
})

test('those who only read export it; support does not, and others do not find the address', async () => {
  const asked = order(month.from, month.to)
  expect((await portal.staff(await makeAdmin(pool, 'readonly')).post(url, asked)).status).toBe(201)
  expect((await portal.staff(await makeAdmin(pool, 'support')).post(url, asked)).status).toBe(403)
  for (const who of [portal.nobody, portal.as(ana)]) expect((await who.post(url, asked)).status).toBe(404)
})

async function refused(from = month.from, to = month.to) {
  const { status, errors } = await billing.post(url, order(from, to))
  return [status, errors[0]?.code, errors[0]?.source?.pointer]
}

test.each([
  ['2024-01-01', '2024-02-29'],
  ['2024-02-01', '2024-04-30'],
  ['2024-01-02', '2024-01-31'],
  ['2024-02-01', '2024-02-28'],
  ['2023-12-01', '2024-02-29'],
  ['2024-01-01', '2024-12-31'],
])('from %s to %s is neither a month nor a quarter', async (from, to) => {
  expect(await refused(from, to)).toEqual([422, 'export_saft_period', '/data/attributes/to_day'])
})

/** Runs with a value of the operator, and puts the old one back. */
async function withOperator(column: string, value: string | null, run: () => Promise<void>) {
  const set = (to: unknown) => sql`update operator_profile set ${sql.ref(column)} = ${to}`.execute(db)
  const { rows } = await sql<{
    before: string
  }>`select ${sql.ref(column)} as before from operator_profile`.execute(db)
  await set(value)
  try {
    await run()
  } finally {
    await set(rows[0]?.before)
  }
}

test('a company abroad, or with books in euros, cannot export it, nor one without telephone or IBAN', async () => {
  const kind = '/data/attributes/kind'
  for (const [column, value] of [
    ['country', 'DE'],
    ['base_currency', 'EUR'],
  ] as const)
    await withOperator(column, value, async () =>
      expect(await refused()).toEqual([422, 'export_saft_seller', kind]),
    )
  for (const column of ['phone', 'iban'])
    await withOperator(column, null, async () =>
      expect(await refused()).toEqual([422, 'export_saft_company', kind]),
    )
})

test('a company that is not registered for VAT sells without a tax', async () => {
  await withOperator('vat_number', null, async () => {
    const { invoice, file } = await soldTo({})
    expect(taxOf(invoice)).toEqual(['000', '000000', '0.00', '0.00'])
    const table = allAt(file, 'MasterFiles/TaxTable/TaxTableEntry')
    expect(table.map((one) => textAt(one, 'TaxType'))).toContain('000')
  })
})

test('a rate of eleven percent has its code', async () => {
  const setRate = (rate: number) =>
    sql`update vat_rates set rate = ${rate} where country = 'RO' and region = '' and valid @> operator_today()`.execute(
      db,
    )
  await setRate(11)
  const { invoice } = await soldTo({}).finally(() => setRate(21))
  expect(taxOf(invoice)).toEqual(['300', '310351', '11.00', '1.10'])
})

test('a document of another seller, or with a rate that has no code, is named before a file is begun', async () => {
  const { invoice } = await soldTo({})
  const number = textAt(invoice, 'InvoiceNo')
  const made = await billing.post(url, order(month.from, month.to))
  await sql`alter table invoices disable trigger user`.execute(db)
  await sql`update invoices set vat_groups = jsonb_set(vat_groups, '{0,rate}', '"12"') where full_number = ${number}`.execute(
    db,
  )
  expect(await refused()).toEqual([422, 'export_saft_document', '/data/attributes/kind'])
  const late = await billing.get(`${url}/${made.one.id}/-actions/download`)
  expect([late.status, late.errors[0]?.code]).toEqual([422, 'export_saft_document'])
  expect(late.errors[0]?.detail).toContain(number)
  await sql`update invoices set vat_groups = jsonb_set(vat_groups, '{0,rate}', '"21"'),
    seller = jsonb_set(seller, '{country}', '"DE"') where full_number = ${number}`.execute(db)
  expect((await refused())[1]).toBe('export_saft_seller')
})
