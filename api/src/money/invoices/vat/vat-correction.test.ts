import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// The invoice of a deposit of March, which the tax office has, states wrong details of its buyer, which staff find in May.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const [paidOn, foundOn] = ['2026-03-17', '2026-05-20']
const number = 'DE136695976'
let billing: Visitor
let ana: Account

beforeEach(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set oss_registered = true`.execute(db)
  await newSeries(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
afterEach(async () => {
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

type Details = Parameters<typeof makeBuyer>[2]

const proven = (vatNumber: string) =>
  sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
    values (${ana.id}, ${vatNumber}, 'valid', 'test', clock_now())`.execute(db)

/** A deposit of 50 without VAT by a buyer with these details; it is May afterwards. Returns its invoice. */
async function deposited(details: Details = {}, isProven = false): Promise<number> {
  await businessTime(pool, `${paidOn}T10:00:00Z`)
  ana = await makePayer(portal, null, details)
  if (isProven) await proven(number)
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 50 })
  await businessTime(pool, `${foundOn}T10:00:00Z`)
  return lastDocument()
}

const read = async (id: number) => {
  const { buyer, seller, tax_point_date, issue_date, ...amounts } = await db
    .selectFrom('invoices')
    .select([
      'buyer',
      'seller',
      'tax_point_date',
      'issue_date',
      'net',
      'vat',
      'vat_local',
      'fx_rate',
      'vat_treatment',
      'vat_rate',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { buyer: Object(buyer), seller: Object(seller), tax_point_date, issue_date, amounts }
}

async function lastDocument(): Promise<number> {
  const { id } = await db
    .selectFrom('invoices')
    .select('id')
    .where('client_id', '=', ana.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

/** Lets the tax office have no electronic invoice of a document. */
const refused = (id: number) =>
  sql`update invoices set pdf_key = 'made', pdf_sha256 = repeat('0', 64) where id = ${id}`.execute(db)

// The rate of a day is the last one that was published before it.
const eve = '2026-03-16'
/** Lets another exchange rate have been published for the day of the payment since. */
async function otherExchangeRate() {
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    values ('USD', 'RON', ${eve}, 5, 'recorded')`.execute(db)
}
afterEach(() => sql`delete from fx_rates where published_on = ${eve}`.execute(db))

const storno = (id: number) =>
  keyed(billing, `${base}/invoices/${id}/-actions/storno`, { reason: 'The details were wrong' })

async function again(id: number) {
  const done = await storno(id)
  expect(done.faults).toEqual([])
  const { invoice_id, credit_note_id, vat } = JSON.parse(done.text)
  return { vat, note: await read(credit_note_id), better: await read(invoice_id), id: Number(invoice_id) }
}

const renamed = () =>
  sql`update client_entities set company_name = 'Lumen Studio SRL', address1 = 'Strada Scurtă 3'
    where client_id = ${ana.id}`.execute(db)

/** What the documents of a client have of VAT in each month. */
async function vatByMonth() {
  const { rows } = await sql<{ month: string; vat: string }>`
    select to_char(tax_point_date, 'YYYY-MM') as month, sum(vat_local) as vat from invoices
    where client_id = ${ana.id} and kind <> 'proforma' group by 1 order by 1`.execute(db)
  return rows
}

test('a deposit with a wrong name and address is issued again once, as of its own day, rate and exchange rate', async () => {
  const id = await deposited()
  const credited = await keyed(billing, `${base}/invoices/${id}/-actions/creditNote`, {
    reason: 'Wrong name',
  })
  expect(credited.faults).toEqual(['409 credit_note_deposit'])
  expect(credited.errors[0]?.detail).toContain('issued again')
  expect((await storno(id)).faults).toEqual(['409 storno_same_vat'])
  await renamed()
  await otherExchangeRate()
  const original = await read(id)
  const { vat, note, better, id: made } = await again(id)
  expect(vat).toBe(0)
  expect(better.buyer).toMatchObject({ name: 'Lumen Studio SRL', address1: 'Strada Scurtă 3' })
  expect(better.amounts).toEqual(original.amounts)
  expect([note.tax_point_date, better.tax_point_date]).toEqual([paidOn, paidOn])
  expect([note.issue_date, better.issue_date]).toEqual([foundOn, foundOn])
  expect(await vatByMonth()).toEqual([{ month: '2026-03', vat: '47.25' }])
  expect((await storno(made)).faults).toEqual(['409 storno_same_vat'])
  expect((await storno(id)).faults).toEqual(['409 storno_nothing_left'])
  const { rows } = await sql`select advance_invoice_id from payments where client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([{ advance_invoice_id: made }])
})

test.each(['accepted', 'without an electronic invoice'])(
  'the rule of a deposit that is %s stays that of its day, though the operator has joined the one-stop shop since',
  async (state) => {
    await sql`update operator_profile set oss_registered = false`.execute(db)
    const id = await deposited({ country: 'DE', company: false })
    if (state !== 'accepted') await refused(id)
    await sql`update operator_profile set oss_registered = true`.execute(db)
    await sql`update client_entities set city = 'Bonn' where client_id = ${ana.id}`.execute(db)
    const { note, better } = await again(id)
    expect(better.amounts).toMatchObject({ vat_treatment: 'origin', vat_rate: '21.00' })
    expect(better.buyer).toMatchObject({ city: 'Bonn' })
    expect([note.tax_point_date, better.tax_point_date]).toEqual([paidOn, paidOn])
  },
)

test.each<[what: string, before: Details, isRefused: boolean]>([
  ['that had stated none', {}, false],
  ['that had stated it', { vatNumber: number }, false],
  ['that had stated none, and whose invoice was refused,', {}, true],
])(
  'a company %s and whose number is proven later has no VAT after all, and no month that was declared changes',
  async (_, before, isRefused) => {
    const id = await deposited({ country: 'DE', ...before })
    if (isRefused) await refused(id)
    await makeBuyer(pool, ana, { country: 'DE', vatNumber: number })
    await proven(number)
    const { vat, note, better } = await again(id)
    expect(vat).toBe(9.5)
    expect(better.amounts).toMatchObject({ vat_treatment: 'reverse_charge', net: '59.50', vat: '0.00' })
    expect([note.tax_point_date, better.tax_point_date]).toEqual([foundOn, foundOn])
    expect(await vatByMonth()).toEqual([
      { month: '2026-03', vat: '42.75' },
      { month: '2026-05', vat: '-42.75' },
    ])
  },
)

test.each<[what: string, before: Details, now: Details]>([
  ['a consumer who moved out of the EU', { company: false }, { country: 'US', company: false }],
  ['a company that moved out of the EU', {}, { country: 'US' }],
  ['a consumer who moved within the EU', { company: false }, { country: 'FR', company: false }],
  ['a company that moved to Germany', {}, { country: 'DE', vatNumber: number }],
  [
    'a consumer who became a company',
    { country: 'DE', company: false },
    { country: 'DE', vatNumber: number },
  ],
])('the deposit of %s stays taxed as on its day', async (_, before, now) => {
  const id = await deposited(before)
  await makeBuyer(pool, ana, now)
  await proven(number)
  expect((await storno(id)).faults).toEqual(['409 storno_moved'])
  expect(await lastDocument()).toBe(id)
})

test('a post code where no VAT of the EU applies does not free a deposit', async () => {
  const id = await deposited({ country: 'ES', company: false, zip: '28001' })
  await makeBuyer(pool, ana, { country: 'ES', company: false, zip: '35001' })
  expect((await storno(id)).faults).toEqual(['409 storno_other_vat'])
  // One of the same rate is a correction like any other.
  await makeBuyer(pool, ana, { country: 'ES', company: false, zip: '28002' })
  expect((await again(id)).better.buyer).toMatchObject({ zip_code: '28002' })
})

test('a reverse charge keeps its rule under another name, however old its proof, and not with another number', async () => {
  const id = await deposited({ country: 'DE', vatNumber: number }, true)
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: 'DE123456788' })
  expect((await storno(id)).faults).toEqual(['409 storno_other_vat'])
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: number })
  await renamed()
  const { better } = await again(id)
  expect(better.amounts).toMatchObject({ vat_treatment: 'reverse_charge', vat: '0.00' })
  expect(better).toMatchObject({ tax_point_date: paidOn, buyer: { name: 'Lumen Studio SRL' } })
})

const other = 'DE123456788'

test('another number than the one that was stated does not free a deposit', async () => {
  const id = await deposited({ country: 'DE', vatNumber: number })
  await makeBuyer(pool, ana, { country: 'DE', vatNumber: other })
  await proven(other)
  expect((await storno(id)).faults).toEqual(['409 storno_other_vat'])
  // What is refused is issued again with it, and keeps its VAT.
  await refused(id)
  const original = await read(id)
  const { better } = await again(id)
  expect(better).toMatchObject({ buyer: { vat_number: other }, amounts: original.amounts })
  expect(better.tax_point_date).toBe(paidOn)
})

test('a refused deposit has the VAT and exchange rate of its day again, and the seller’s details of now', async () => {
  const id = await deposited()
  await refused(id)
  await otherExchangeRate()
  await sql`update operator_profile set address1 = 'Strada Nouă 1'`.execute(db)
  const original = await read(id)
  const { note, better } = await again(id)
  expect(better).toMatchObject({ buyer: original.buyer, amounts: original.amounts })
  expect([note.seller, note.tax_point_date, better.tax_point_date]).toEqual([original.seller, paidOn, paidOn])
  expect(better.seller).toEqual({ ...original.seller, address1: 'Strada Nouă 1' })
})

test('a refused reverse charge keeps its rule, however old its proof', async () => {
  const id = await deposited({ country: 'DE', vatNumber: number }, true)
  await refused(id)
  const original = await read(id)
  const { better } = await again(id)
  expect(better.amounts).toEqual(original.amounts)
  expect(better.amounts).toMatchObject({ vat_treatment: 'reverse_charge' })
})

test.each<[what: string, before: Details, now: Details, amounts: object]>([
  [
    'number',
    { country: 'DE', vatNumber: number },
    { country: 'DE', vatNumber: other },
    { vat_rate: '19.00' },
  ],
  [
    'country, where the rate is higher',
    { country: 'LU', company: false },
    { country: 'HU', company: false },
    { vat_rate: '27.00' },
  ],
])(
  'a refused deposit with another %s has more VAT, at the exchange rate of the original',
  async (_, before, now, amounts) => {
    const id = await deposited(before, true)
    await refused(id)
    await makeBuyer(pool, ana, now)
    await otherExchangeRate()
    const { fx_rate } = (await read(id)).amounts
    const { better } = await again(id)
    expect(better).toMatchObject({ tax_point_date: paidOn, amounts: { ...amounts, fx_rate } })
  },
)

test.each<[what: string, before: Details, now: Details, code: string]>([
  [
    'has moved to a lower rate',
    { country: 'HU', company: false },
    { country: 'LU', company: false },
    'storno_moved',
  ],
  [
    'now has a post code where no VAT applies',
    { country: 'ES', company: false, zip: '28001' },
    { country: 'ES', company: false, zip: '35001' },
    'storno_other_vat',
  ],
])('a refused deposit does not have less VAT because its buyer %s', async (_, before, now, code) => {
  const id = await deposited(before)
  await refused(id)
  await makeBuyer(pool, ana, now)
  expect((await storno(id)).faults).toEqual([`409 ${code}`])
  expect(await lastDocument()).toBe(id)
})
