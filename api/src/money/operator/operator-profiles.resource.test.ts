import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { issueInvoice, issueProforma } from '#money/invoices/invoices.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { companyInput } from '#test/support/operator-input.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/operator-profiles`
let admin: Visitor
let ana: Account

const company = {
  ...companyInput,
  vat_number: 'ro 1234 5674',
  tax_number: 'RO12345674',
  iban: 'ro49 aaaa 1b31 0075 9384 0000',
}

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  admin = portal.staff(await makeAdmin(pool, 'admin'))
  ana = await makeAccount(pool, { projects: 0, panels: 0 })
})
const edit = (who: Visitor, more: object = {}) =>
  who.post(`${url}/-actions/editOperator`, { data: { ...company, ...more } })
const begin = (who: Visitor, data: object) => who.post(`${url}/-actions/addSeries`, { data })
const faults = ({ errors }: Awaited<ReturnType<typeof edit>>) =>
  errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer?.replace(/.*\//, '')}`)
const invoice = () =>
  db.transaction().execute((tx) => issueInvoice(tx, { clientId: ana.id, sum: { net: '100' } }))

test('an empty portal gets its company and series at the desk, and issues its first invoice', async () => {
  await makeBuyer(pool, ana, { country: 'RO', company: false })
  expect((await admin.get(url)).list).toEqual([])
  await expect(invoice()).rejects.toMatchObject({ code: 'documents_need_operator' })
  expect(faults(await edit(admin))).toEqual([])
  expect((await admin.get(url)).list[0]?.attributes).toMatchObject({
    ...company,
    vat_number: 'RO12345674',
    tax_number: '12345674',
    iban: 'RO49AAAA1B31007593840000',
    series: [],
  })
  for (const data of [
    { kind: 'fiscal', prefix: ' ex ', legal_decision: 'Decision 1' },
    { kind: 'credit_note', prefix: 'EXC' },
    { kind: 'proforma', prefix: 'EXP' },
  ])
    expect(faults(await begin(admin, data))).toEqual([])
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    values ('USD', 'RON', '2026-11-19', 4.4, 'test')`.execute(db)
  expect((await invoice()).fullNumber).toBe('EX-1')
})

test('a new series begins at 1 and ends the one before, and a prefix is never used again', async () => {
  const [one, two] = [await begin(admin, { kind: 'fiscal', prefix: 'FY' }), await invoice()]
  expect([one.status, two.fullNumber]).toEqual([200, 'FY-1'])
  for (const kind of ['fiscal', 'credit_note', 'proforma'])
    expect(faults(await begin(admin, { kind, prefix: 'EX' }))).toEqual(['409 series_prefix_taken prefix'])
  const { series } = (await admin.get(url)).list[0]?.attributes ?? {}
  expect(
    Object(series).map((row: Record<string, unknown>) => [row.kind, row.prefix, row.next_number, row.active]),
  ).toEqual([
    ['fiscal', 'FY', 2, true],
    ['credit_note', 'EXC', 1, true],
    ['proforma', 'EXP', 1, true],
    ['fiscal', 'EX', 2, false],
  ])
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'addSeries', reason: 'A test asks for it' })
})

test('ten series begin while documents are numbered: each document has a number, none twice', async () => {
  const prefixes = Array.from({ length: 10 }, (_, at) => `P${at}`)
  const [begun, ...issued] = await Promise.all([
    Promise.all(prefixes.map((prefix) => begin(admin, { kind: 'fiscal', prefix }))),
    ...Array.from({ length: 10 }, invoice),
  ])
  expect(begun.map(({ status }) => status)).toEqual(prefixes.map(() => 200))
  expect(new Set(issued.map(({ fullNumber }) => fullNumber)).size).toBe(10)
})

test('a country or currency of issued documents stays, and other details change for the next ones', async () => {
  expect(
    faults(await edit(admin, { country: 'DE', county_code: null, vat_number: null, tax_number: '1' })),
  ).toEqual(['409 operator_fixed country'])
  expect(faults(await edit(admin, { base_currency: 'EUR' }))).toEqual(['409 operator_fixed base_currency'])
  expect(faults(await edit(admin, { proforma_days: 10 }))).toEqual([])
  const { id } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  const { rows } = await sql<{
    days: number
  }>`select due_date - issue_date as days from invoices where id = ${id}`.execute(db)
  expect(rows).toEqual([{ days: 10 }])
})

test.each([
  [{ legal_name: ' ' }, '422 company_name_required legal_name'],
  [{ vat_number: 'RO12345675' }, '422 vat_number_impossible vat_number'],
  [{ tax_number: '12345675' }, '422 registration_number_impossible tax_number'],
  [{ iban: 'RO49AAAA1B31007593840001' }, '422 iban_invalid iban'],
  [{ country: 'XX' }, '422 country_unknown country'],
  [{ county_code: null }, '422 operator_county_required county_code'],
  [{ county_code: 'DE-BE' }, '422 county_of_other_country county_code'],
  [{ county_code: 'RO-B' }, '422 billing_sector_invalid city'],
  [{ time_zone: '+02:00' }, '422 time_zone_unknown time_zone'],
  [{ time_zone: 'Europe/Nowhere' }, '422 time_zone_unknown time_zone'],
  [{ due_days: 400 }, '422 number_most due_days'],
  [{ oss_threshold: 0.001 }, '422 decimals_most oss_threshold'],
  [{ email: 'nobody' }, '422 email_invalid email'],
  [{ logo: '<svg/>' }, '422 field_unknown data'],
])('%j is refused', async (more, fault) => {
  expect(faults(await edit(admin, more))).toEqual([fault])
})

test.each([
  [{ kind: 'fiscal', prefix: '1X' }, '422 value_invalid prefix'],
  [{ kind: 'fiscal', prefix: 'TOOLONGPREFIX' }, '422 value_invalid prefix'],
  [{ kind: 'offer', prefix: 'X' }, '422 value_not_among kind'],
])('the series %j is refused', async (data, fault) => {
  expect(faults(await begin(admin, data))).toEqual([fault])
})

test('only administrators see and set the company', async () => {
  for (const who of [portal.nobody, portal.as(ana)])
    for (const answer of [
      await who.get(url),
      await edit(who),
      await begin(who, { kind: 'fiscal', prefix: 'A' }),
    ])
      expect(answer.status).toBe(404)
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    expect([(await who.get(url)).list, (await edit(who)).status]).toEqual([[], 403])
  }
})

test('the company needs a reason', async () => {
  const without = await admin.call('POST', `${url}/-actions/editOperator`, {
    body: { data: company },
    headers: { 'portico-reason': '' },
  })
  expect(without.errors[0]?.code).toBe('staff_reason_required')
})
