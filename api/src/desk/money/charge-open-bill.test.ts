import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let ana: Account

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
})
beforeEach(async () => {
  // Each test begins on the same day, and numbers never go back.
  await newSeries(pool)
  await businessTime(pool, '2026-11-20T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

const at = (verb: string, id: number | string = ana.id) => `${base}/desk-clients/${id}/-actions/${verb}`
const bill = (who = billing, key = randomUUID()) => keyed(who, at('chargeOpenBill'), { data: {} }, key)
const preview = async (who = billing) => who.get(at('previewOpenBill'))
const bills = async () =>
  (await portal.as(ana).get(`${base}/invoices?sort=issue_date`)).list.map(({ attributes }) => {
    const { period_from, period_to, net, total } = attributes ?? {}
    return { period_from, period_to, net, total }
  })

test('billing bills the month to the end of yesterday, and its close bills the rest', async () => {
  await used(db, ana, ['2026-11-05', '2026-11-19'], '15.004')
  await used(db, ana, ['2026-11-20'], '4')
  const seen = { from_day: '2026-11-01', to_day: '2026-11-19', currency: 'USD', limit_currency: 'USD' }
  const sums = { use: 30.01, from_credit: 0, from_advances: 0, net: 30.01, vat: 6.3, total: 36.31 }
  expect((await preview()).json).toEqual({ ...seen, ...sums, limit_left: 500 })
  const key = randomUUID()
  const [first, again] = [await bill(billing, key), await bill(billing, key)]
  expect(first.json).toMatchObject({ full_number: expect.stringMatching(/^TF\d+-/), total: 36.31 })
  expect(again.json).toEqual(first.json)
  expect((await preview()).faults).toEqual(['409 open_bill_nothing'])
  expect((await bill()).faults).toEqual(['409 open_bill_nothing'])
  const { rows } = await sql`select verb, amount, counted_on::text, client_id from staff_actions
    where client_id = ${ana.id} and origin = 'desk'`.execute(db)
  expect(rows).toEqual([
    { verb: 'chargeOpenBill', amount: '36.31', counted_on: '2026-11-20', client_id: ana.id },
  ])

  await used(db, ana, ['2026-11-25'], '6')
  await businessTime(pool, '2026-12-01T10:00:00Z')
  await closeDueMonth(db, (_, error) => {
    throw error
  })
  // What rounding added to the first bill is less on the second one: it had 30.008.
  expect(await bills()).toEqual([
    { period_from: '2026-11-01', period_to: '2026-11-19', net: 30.01, total: 36.31 },
    { period_from: '2026-11-20', period_to: '2026-11-30', net: 10, total: 12.1 },
  ])
})

test('credit and what is paid ahead pay the bill, which then counts against no limit', async () => {
  ana = await makePayer(portal, '100')
  await used(db, ana, ['2026-11-05'], '30')
  expect((await preview()).json).toMatchObject({ use: 30, from_advances: 30, total: 0 })
  expect((await bill()).json).toMatchObject({ total: 0 })
  const { rows } = await sql`select amount from staff_actions
    where client_id = ${ana.id} and origin = 'desk'`.execute(db)
  expect(rows).toEqual([{ amount: null }])
})

test('late use of the month before is asked for by a bill of its own, whatever the open month was billed', async () => {
  await used(db, ana, ['2026-11-05'], '30')
  expect((await bill()).json).toMatchObject({ total: 36.3 })
  await used(db, ana, ['2026-10-20'], '5')
  await closeDueMonth(db, (_, error) => {
    throw error
  })
  expect(await bills()).toContainEqual({
    period_from: '2026-10-01',
    period_to: '2026-10-31',
    net: 5,
    total: 6.05,
  })
})

test('other roles, clients, guests of nobody and unknown clients are refused', async () => {
  await used(db, ana, ['2026-11-05'], '30')
  const [support, readonly] = await Promise.all(
    (['support', 'readonly'] as const).map(async (role) => portal.staff(await makeAdmin(pool, role))),
  )
  for (const [who, status] of [
    [support, 403],
    [readonly, 403],
    [portal.as(ana), 404],
    [portal.nobody, 404],
  ] as const) {
    expect((await bill(who)).status).toBe(status)
    expect((await preview(who)).status).toBe(status)
  }
  expect((await keyed(billing, at('chargeOpenBill', 999_999), { data: {} })).status).toBe(404)
  expect((await keyed(billing, at('chargeOpenBill'), { data: { net: 5 } })).status).toBe(422)
  expect((await billing.post(at('chargeOpenBill'), { data: {} })).status).toBe(400)
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await bill(old)).faults).toEqual(['403 recent_sign_in_required'])
  expect(await bills()).toEqual([])
})

test('a bill waits for the month before it, for days that are not charged, and for an address', async () => {
  await used(db, ana, ['2026-10-20'], '5')
  await used(db, ana, ['2026-11-05'], '5')
  expect((await bill()).faults).toEqual(['409 open_bill_last_month'])
  await closeDueMonth(db, () => undefined)
  await used(db, ana, ['2026-11-06'], '5', { charged: false })
  expect((await preview()).faults).toEqual(['409 open_bill_uncharged'])
  expect((await bill()).faults).toEqual(['409 open_bill_uncharged'])
  await sql`select charge_client_day(${ana.id}, '2026-11-06')`.execute(db)
  await sql`update client_entities set city = null where client_id = ${ana.id}`.execute(db)
  for (const answer of [await preview(), await bill()])
    expect(answer.faults).toEqual(['422 billing_info_incomplete /data/attributes/city'])
  await makeBuyer(pool, ana)
  expect((await bill()).json).toMatchObject({ total: 12.1 })
})

test('a bill above the limit of one person is issued once another approves it', async () => {
  await used(db, ana, ['2026-11-05'], '500')
  expect((await preview()).json).toMatchObject({ total: 605, limit_left: 500 })
  expect((await bill()).faults).toEqual(['403 staff_limit_action'])
  const [asker, chief] = await Promise.all([makeMember(pool, 'billing'), makeMember(pool, 'admin')])
  const wish = { verb: 'chargeOpenBill', ref: String(ana.id), input: {} }
  const asked = await keyed(portal.staff(asker.admin), `${base}/desk-requests/-actions/ask`, { data: wish })
  expect(asked.faults).toEqual([])
  const { request_id: id } = asked.json as { request_id: number }
  expect((await portal.staff(chief.admin).get(`${base}/desk-requests/${id}`)).one.attributes).toMatchObject({
    amount: 605,
    currency: 'USD',
  })
  expect(await bills()).toEqual([])
  await portal.staff(chief.admin).post(`${base}/desk-requests/${id}/-actions/approve`, { data: {} })
  expect(await bills()).toMatchObject([{ total: 605 }])
})
