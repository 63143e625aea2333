import Big from 'big.js'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { creditNote } from './credit-notes.ts'
import { issueInvoice, issueProforma, recordPayment } from './invoices.ts'

const { pool } = await testDatabase(12)
const db = pool.kysely
const reason = { en: 'money back', ro: 'restituire' }
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await makeBuyer(pool, ana)
})

const within = <T>(work: (tx: Database) => Promise<T>): Promise<T> => db.transaction().execute(work)
const advance = (sum: { net: string } | { gross: string } = { net: '50' }, clientId = ana.id) =>
  within((tx) => issueInvoice(tx, { clientId, sum }))

async function row(id: number) {
  return db
    .selectFrom('invoices')
    .innerJoin('invoice_statuses', 'invoice_statuses.id', 'invoice_status_id')
    .selectAll('invoices')
    .select('invoice_statuses.code as status')
    .where('invoices.id', '=', id)
    .executeTakeFirstOrThrow()
}

test('an advance is a paid invoice with VAT on top, in lei too', async () => {
  const issued = await advance()
  expect(issued).toMatchObject({ net: '50.00', vat: '10.50', total: '60.50' })
  expect(issued.groups).toEqual([{ country: 'RO', category: 'S', rate: '21', net: '50.00', vat: '10.50' }])
  expect(await row(issued.id)).toMatchObject({
    full_number: expect.stringMatching(/^HST-[1-9][0-9]*$/),
    issue_date: '2026-11-20',
    status: 'paid',
    paid: '60.50',
    vat_treatment: 'domestic',
    fx_rate: '4.500000',
    fx_source: 'recorded',
    vat_local: '47.25',
    seller: expect.objectContaining({ name: 'Test Cloud SRL', county_name: 'Cluj' }),
    buyer: expect.objectContaining({ name: 'Ștefan & Țiței SRL', country: 'RO' }),
  })
})

test('the client is notified of an issued document, not of a proforma or of a rollback', async () => {
  const notices = () =>
    db
      .selectFrom('notifications')
      .select(['kind', 'about_id', 'params'])
      .where('client_id', '=', ana.id)
      .execute()
  await within((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  await expect(
    within(async (tx) => {
      await issueInvoice(tx, { clientId: ana.id, sum: { net: '50' } })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed')
  expect(await notices()).toEqual([])
  const { id, fullNumber } = await advance({ net: '1000' })
  const note = await within((tx) => creditNote(tx, { invoiceId: id, net: '20', reason }))
  expect(await notices()).toEqual([
    {
      kind: 'invoice_issued',
      about_id: id,
      params: { what: 'fiscal', number: fullNumber, total: '$1,210.00' },
    },
    {
      kind: 'invoice_issued',
      about_id: note.id,
      params: { what: 'credit_note', number: note.fullNumber, total: '$24.20' },
    },
  ])
})

test.each([
  ['100.00', '82.64', '17.36'],
  ['0.01', '0.01', '0.00'],
  ['60.50', '50.00', '10.50'],
])('of %s that was paid, %s is net and %s VAT', async (gross, net, vat) => {
  expect(await advance({ gross })).toMatchObject({ net, vat, total: gross })
})

test('a proforma can be paid for 15 days, and leads to one invoice for the same customer', async () => {
  const asked = await within((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  expect(await row(asked.id)).toMatchObject({ status: 'unpaid', due_date: '2026-12-05', paid: '0.00' })
  await sql`update client_entities set city = '' where client_id = ${ana.id}`.execute(db)
  const pay = () =>
    within((tx) => issueInvoice(tx, { clientId: ana.id, sum: { gross: asked.total }, proformaId: asked.id }))
  const paid = await pay()
  expect(await row(paid.id)).toMatchObject({
    proforma_id: asked.id,
    buyer: expect.objectContaining({ city: 'Dej' }),
  })
  await expect(pay()).rejects.toThrow(/invoices_proforma_id_key/)
  const other = await makeAccount(pool, { projects: 1, panels: 0 })
  const stolen = within((tx) =>
    issueInvoice(tx, { clientId: other.id, sum: { net: '1' }, proformaId: asked.id }),
  )
  await expect(stolen).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['city', { city: ' ' }],
  ['county_id', { county: null }],
  ['city', { county: 'RO-B', city: 'București' }, 'billing_sector_invalid'],
])('without its %s no document is issued', async (field, lacking, code = 'billing_info_incomplete') => {
  await makeBuyer(pool, ana, lacking)
  await expect(advance()).rejects.toMatchObject({
    all: [
      expect.objectContaining({
        code,
        source: { pointer: `/data/attributes/${field}` },
      }),
    ],
  })
})

test('the sector of Bucharest is printed as the city', async () => {
  await makeBuyer(pool, ana, { county: 'RO-B', city: 'Sector 2' })
  const { id } = await advance()
  expect((await row(id)).buyer).toMatchObject({ city: 'SECTOR2', county_code: 'RO-B' })
})

test('the operator’s sector of Bucharest is stated as electronic invoices require, however it was typed', async () => {
  await makeBuyer(pool, ana)
  await sql`update operator_profile set county_code = 'RO-B', city = 'Sector 1'`.execute(db)
  try {
    const { id } = await advance()
    expect((await row(id)).seller).toMatchObject({ city: 'SECTOR1', county_code: 'RO-B' })
  } finally {
    await sql`update operator_profile set county_code = 'RO-CJ', city = 'Cluj-Napoca'`.execute(db)
  }
})

test('a rate that is missing or old stops the document, and takes no number', async () => {
  const before = await numbers()
  await sql`update fx_rates set source = 'bnr' where base = 'USD'`.execute(db)
  try {
    await expect(advance()).rejects.toMatchObject({ code: 'documents_need_exchange_rate' })
  } finally {
    await sql`update fx_rates set source = 'recorded' where base = 'USD'`.execute(db)
  }
  expect(await numbers()).toEqual(before)
})

test('a foreign company is exempt from VAT only with a fresh proof, which the invoice keeps', async () => {
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: 'DE 123 456 788' })
  expect(await advance()).toMatchObject({ vat: '9.50' })
  const answer = (status: string, age: string) =>
    sql`insert into vat_checks (client_id, vat_number, status, request_identifier, source, checked_at)
      values (${ana.id}, 'DE123456788', ${status}, 'WAPIAAA', 'test', clock_now() - ${age}::interval)`.execute(
      db,
    )
  await answer('valid', '29 days')
  const { id, vat } = await advance()
  expect(vat).toBe('0.00')
  expect(await row(id)).toMatchObject({
    vat_treatment: 'reverse_charge',
    vat_evidence: expect.objectContaining({ proof: expect.objectContaining({ reference: 'WAPIAAA' }) }),
  })
  await answer('unavailable', '1 hour')
  expect(await advance()).toMatchObject({ vat: '0.00' })
  await answer('invalid', '1 minute')
  expect(await advance()).toMatchObject({ vat: '9.50' })
})

async function numbers(): Promise<number[]> {
  const rows = await db
    .selectFrom('invoices')
    .select('number')
    .where('kind', '=', 'fiscal')
    .orderBy('number')
    .execute()
  return rows.map(({ number }) => number ?? 0)
}

test('8 writers of whom a fifth change their mind leave no gap and no number twice', async () => {
  const clients = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const one = await makeAccount(pool, { projects: 1, panels: 0 })
      await makeBuyer(pool, one)
      return one.id
    }),
  )
  const write = async (clientId: number, time: number) => {
    const issuing = within(async (tx) => {
      await issueInvoice(tx, { clientId, sum: { net: '50' } })
      if (time % 5 === 0) throw new Error('changed my mind')
    })
    return issuing.then(
      () => 1,
      () => 0,
    )
  }
  const before = (await numbers()).length
  const done = await Promise.all(
    clients.map(async (clientId) => {
      let many = 0
      for (let time = 0; time < 10; time++) many += await write(clientId, time)
      return many
    }),
  )
  expect(done).toEqual(Array(8).fill(8))
  const all = await numbers()
  expect(all.length).toBe(before + 64)
  expect(all).toEqual(Array.from(all, (_, at) => at + 1))
})

test('days never go backwards within a series', async () => {
  await advance()
  await businessTime(pool, '2026-11-18T10:00:00Z')
  await expect(advance()).rejects.toMatchObject({ code: 'documents_need_series' })
})

test('an issued document cannot be changed by any role', async () => {
  const { id } = await advance()
  const tries = [
    sql`update invoices set net = 49, total = 59.5 where id = ${id}`,
    sql`update invoices set buyer = '{}' where id = ${id}`,
    sql`update invoices set number = 9999 where id = ${id}`,
    sql`update invoices set issued_at = null where id = ${id}`,
    sql`delete from invoices where id = ${id}`,
    sql`update invoice_lines set net = 1 where invoice_id = ${id}`,
    sql`delete from invoice_lines where invoice_id = ${id}`,
    sql`insert into invoice_lines (invoice_id, position, kind, description_en, description_ro, quantity, unit_price, net,
      vat_category, vat_country, vat_rate) values (${id}, 2, 'manual', 'x', 'x', 1, 1, 1, 'S', 'RO', 21)`,
    sql`truncate invoice_lines`,
    sql`truncate invoices cascade`,
  ]
  for (const one of tries) await expect(one.execute(db)).rejects.toMatchObject({ code: '55000' })
  const stored = sql`update invoices set pdf_key = 'first', pdf_sha256 = 'a' where id = ${id}`
  await stored.execute(db)
  await expect(
    sql`update invoices set pdf_key = 'second' where id = ${id}`.execute(db),
  ).rejects.toMatchObject({ code: '55000' })
})

test('a series that gave numbers keeps them', async () => {
  await advance()
  const back = sql`update invoice_series set next_number = 1 where prefix = 'HST'`
  await expect(back.execute(db)).rejects.toMatchObject({ code: '55000' })
  await expect(sql`delete from invoice_series where prefix = 'HST'`.execute(db)).rejects.toThrow(
    /series_used/,
  )
})

test('credit notes take an invoice back by their own series, and never more than it was', async () => {
  const { id, fullNumber } = await advance()
  const note = await within((tx) => creditNote(tx, { invoiceId: id, net: '20', reason }))
  expect(note).toMatchObject({
    net: '-20.00',
    vat: '-4.20',
    total: '-24.20',
    fullNumber: expect.stringMatching(/^ST-/),
  })
  expect(await row(id)).toMatchObject({ status: 'paid', credited: '24.20', paid: '60.50' })
  const lines = await db.selectFrom('invoice_lines').selectAll().where('invoice_id', '=', note.id).execute()
  expect(lines).toMatchObject([
    { quantity: '-1.000000', description_ro: `Stornare ${fullNumber}: restituire` },
  ])
  const parts = await Promise.allSettled(
    Array.from({ length: 4 }, () => within((tx) => creditNote(tx, { invoiceId: id, net: '10', reason }))),
  )
  expect(parts.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(await row(id)).toMatchObject({ status: 'refunded', credited: '60.50' })
  expect(parts.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'credited_already' },
  })
})

test('an advance that is used up cannot be given back', async () => {
  const { id } = await advance()
  const other = await advance()
  await sql`insert into advance_consumptions (advance_id, invoice_id, amount) values (${id}, ${other.id}, 40)`.execute(
    db,
  )
  const whole = within((tx) => creditNote(tx, { invoiceId: id, reason }))
  await expect(whole).rejects.toMatchObject({ code: 'advance_used' })
  const rest = await within((tx) => creditNote(tx, { invoiceId: id, net: '10', reason }))
  expect(rest.total).toBe('-12.10')
})

test('two who pay the same document do not both', async () => {
  const { id } = await within((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  const both = await Promise.allSettled([1, 2].map(() => within((tx) => recordPayment(tx, id, '60.50'))))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { status, paid } = await row(id)
  expect([status, paid]).toEqual(['paid', '60.50'])
  const sums = await db.selectFrom('invoices').select(['net', 'vat', 'total']).execute()
  for (const { net, vat, total } of sums) expect(new Big(net).plus(vat).toFixed(2)).toBe(total)
})

test('the day is that of the operator, not of UTC', async () => {
  await businessTime(pool, '2026-11-20T22:30:00Z')
  expect((await row((await advance()).id)).issue_date).toBe('2026-11-21')
})
