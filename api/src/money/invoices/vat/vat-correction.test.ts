import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// The invoice of a deposit, which the tax office has, states wrong details of its buyer.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let ana: Account
let id = 0

beforeEach(async () => {
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
  await makeBuyer(pool, ana)
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 50 })
  id = (await lastDocument()).id
})

const read = (of: number) =>
  db
    .selectFrom('invoices')
    .select(['id', 'buyer', 'net', 'vat', 'vat_local', 'tax_point_date', 'fx_rate', 'vat_country'])
    .where('id', '=', of)
    .executeTakeFirstOrThrow()

const lastDocument = () =>
  db
    .selectFrom('invoices')
    .select('id')
    .where('client_id', '=', ana.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const again = (of = id) =>
  keyed(billing, `${base}/invoices/${of}/-actions/storno`, { reason: 'The details were wrong' })

const renamed = () =>
  sql`update client_entities set company_name = 'Lumen Studio SRL', address1 = 'Strada Scurtă 3' where client_id = ${ana.id}`.execute(
    db,
  )

test('a deposit whose invoice has a wrong name and address is issued again with the same VAT, once', async () => {
  const refused = await keyed(billing, `${base}/invoices/${id}/-actions/creditNote`, { reason: 'Wrong name' })
  expect(refused.faults).toEqual(['409 credit_note_deposit'])
  expect(refused.errors[0]?.detail).toContain('issued again')
  expect((await again()).faults).toEqual(['409 storno_same_vat'])
  await renamed()
  const done = await again()
  expect(done.faults).toEqual([])
  const { invoice_id: better, vat } = JSON.parse(done.text)
  expect(vat).toBe(0)
  const { id: _, buyer, ...amounts } = await read(better)
  expect(buyer).toMatchObject({ name: 'Lumen Studio SRL', address1: 'Strada Scurtă 3' })
  expect(await read(id)).toMatchObject(amounts)
  expect((await again(better)).faults).toEqual(['409 storno_same_vat'])
  const { rows } = await sql`select advance_invoice_id from payments where client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([{ advance_invoice_id: better }])
  expect(await verifyLedger(db)).toEqual([])
})

test('a deposit of a buyer who has moved since stays taxed as on the day of the payment', async () => {
  await makeBuyer(pool, ana, { country: 'FR', company: false })
  expect((await again()).faults).toEqual(['409 storno_other_vat'])
  expect(await lastDocument()).toEqual({ id })
})
