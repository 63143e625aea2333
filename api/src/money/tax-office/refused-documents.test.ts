import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { watchOffice } from './watch.ts'

// What the office rejects, or what has no electronic invoice, is alerted until it is corrected, and is corrected once.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const world = await OfficeWorld.open(pool, folder)
let ana: Account
let billing: Visitor

beforeEach(async () => {
  ana = await makePayer(portal)
  await makeBuyer(pool, ana)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
afterAll(() => {
  world.server.close()
  remove()
})

const read = async (id: number) => (await billing.get(`${base}/invoices/${id}`)).one.attributes
const on = (verb: string, id: number) =>
  keyed(billing, `${base}/invoices/${id}/-actions/${verb}`, { data: { reason: 'The details were wrong' } })

/** A deposit of 50 and its VAT by card. */
async function deposit() {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 50 })
  const { list } = await billing.get(`${base}/invoices?filter[kind]=fiscal&filter[client_id]=${ana.id}`)
  const id = Number(list.find(({ attributes }) => attributes?.reason === 'advance')?.id)
  return { id, number: String((await read(id))?.full_number) }
}

/** Runs the jobs while the office rejects these documents. */
async function rejected(...numbers: readonly unknown[]) {
  world.server.fault = ({ document }) => (numbers.includes(document?.number) ? 'nok' : undefined)
  await world.run()
  world.server.fault = () => undefined
}

async function alerted(kind: string): Promise<string> {
  await watchOffice(db, world.parts.office, new Date())
  const { list } = await billing.get(`${base}/staff-alerts?filter[open]=true&page[size]=100`)
  return JSON.stringify(
    list.filter(({ attributes }) => attributes?.kind === kind).map((one) => one.attributes),
  )
}

const needs = async () => JSON.parse((await billing.get(`${base}/desk-home/-actions/needs`)).text)

/** A bill of 20 for March, which a deposit paid whole. */
async function paidBill(isBroken = false) {
  const { id } = await deposit()
  await world.files(id)
  if (isBroken) await sql`update operator_profile set city = 'București', county_code = 'RO-B'`.execute(db)
  await used(db, ana, ['2026-03-03'], '20')
  const month = { from: '2026-03-01', until: '2026-04-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  if (isBroken) await sql`update operator_profile set city = 'SECTOR1'`.execute(db)
  if (!bill) throw new Error('There is no bill.')
  expect(bill.total).toBe('0.00')
  return { id: bill.id, number: String(bill.fullNumber) }
}

test('a rejected bill that deposits paid whole is alerted until it is credited whole', async () => {
  const { id, number } = await paidBill()
  await world.files(id)
  await rejected(number)
  expect(await alerted('einvoice_rejected')).toContain(number)
  const before = JSON.stringify(await needs())
  expect(before).toContain('einvoices_rejected')
  const { faults, text } = await on('creditNote', id)
  expect(faults).toEqual([])
  await world.files(JSON.parse(text).credit_note_id)
  expect(await alerted('einvoice_rejected')).not.toContain(number)
})

test('a bill without an electronic invoice that deposits paid whole is missing, also after months', async () => {
  const { id, number } = await paidBill(true)
  await expect(world.files(id)).rejects.toThrow('BR-RO-100')
  expect(await alerted('einvoice_missing')).toContain(number)
  await sql`update tax_offices set from_day = operator_today() - 200`.execute(db)
  await sql`update clock set ahead = '40 days'`.execute(db)
  expect(await alerted('einvoice_missing')).toContain(number)
  await sql`update clock set ahead = '0'`.execute(db)
  const note = JSON.parse((await on('creditNote', id)).text)
  await expect(world.files(note.credit_note_id)).rejects.toThrow('BR-RO-100')
  expect(await alerted('einvoice_missing')).not.toContain(number)
  expect(await alerted('einvoice_broken')).not.toContain(number)
})

test('the credit note of a rejected document that is rejected for the same details is no work for anybody', async () => {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
  const made = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines })
  const { invoice_id: id, full_number } = JSON.parse(made.text)
  await world.files(id)
  await rejected(full_number)
  expect(await alerted('einvoice_rejected')).toContain(full_number)
  const note = JSON.parse((await on('creditNote', id)).text)
  await world.files(note.credit_note_id)
  await rejected(full_number, note.full_number)
  expect(await world.row(note.credit_note_id)).toMatchObject({ state: 'rejected' })
  const alerts = await alerted('einvoice_rejected')
  for (const number of [full_number, note.full_number]) expect(alerts).not.toContain(number)
})

test('a rejected deposit does not lose its VAT because its buyer has moved out of the EU since', async () => {
  const { id, number } = await deposit()
  await world.files(id)
  await rejected(number)
  await makeBuyer(pool, ana, { country: 'US' })
  expect((await on('storno', id)).faults).toEqual(['409 storno_moved'])
})

test('a rejected deposit is issued again with the rates of VAT and exchange of the day of receipt', async () => {
  const { id, number } = await deposit()
  await world.files(id)
  await rejected(number)
  await sql`insert into fx_rates (base, quote, rate, published_on, source)
    select base, quote, 5, operator_today() + 1, source from fx_rates where base = 'USD' and quote = 'RON' limit 1`.execute(
    db,
  )
  await sql`update vat_rates set valid = daterange(lower(valid), operator_today() + 1)
    where country = 'RO' and region = '' and valid @> operator_today()`.execute(db)
  await sql`insert into vat_rates (country, region, valid, rate, reduced, source)
    values ('RO', '', daterange(operator_today() + 1, null), 25, '{}', 'law')`.execute(db)
  await sql`update clock set ahead = '2 days'`.execute(db)
  const { faults, text } = await on('storno', id)
  expect(faults).toEqual([])
  const { invoice_id: better, credit_note_id: note, vat } = JSON.parse(text)
  const amounts = async (of: number) => {
    const { net, vat_rate, vat_local, fx_rate, tax_point_date } = (await read(of)) ?? {}
    return { net, vat_rate, vat_local, fx_rate, tax_point_date }
  }
  expect(vat).toBe(0)
  expect(await amounts(better)).toEqual(await amounts(id))
  // The correction is of one period of VAT.
  expect((await read(note))?.tax_point_date).toBe((await read(id))?.tax_point_date)
  // Its number is of today.
  expect((await read(better))?.issue_date).not.toBe((await read(id))?.issue_date)
  expect(await verifyLedger(db)).toEqual([])
  await sql`update clock set ahead = '0'`.execute(db)
})

test('a proforma is no document of the office', async () => {
  const { id } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '5' } }))
  await world.files(id)
  expect(await read(id)).toMatchObject({ pdf_ready: true, is_refused: false })
})
