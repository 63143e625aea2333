import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { eraseAccount } from '#privacy/erase-account.ts'
import type { Account } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal({ poolSize: 12 })
const { pool } = portal
const db = pool.kysely
let support: Visitor
let billing: Visitor
let ana: Account

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
})
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-11-20T10:00:00Z')
  support = portal.staff(await makeAdmin(pool))
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
})

const act = (who: Visitor, verb: string, input: object, key?: string) =>
  keyed(who, `${base}/desk-clients/${ana.id}/-actions/${verb}`, { data: input }, key)

const onBill = (id: number, verb: string, input: object, who = billing) =>
  keyed(who, `${base}/invoices/${id}/-actions/${verb}`, { data: input })

const held = async () => {
  const { list } = await portal.as(ana).get(`${base}/account-balances`)
  const { account_balance, credit_balance } = list[0]?.attributes ?? {}
  return [account_balance, credit_balance]
}

const newest = async (query: string) => (await portal.as(ana).get(`${base}/${query}`)).list[0]?.attributes

/** A bill of October over 20 and VAT. */
async function openBill(): Promise<number> {
  await businessTime(pool, '2026-10-06T10:00:00Z')
  await used(db, ana, ['2026-10-05'], '20')
  await businessTime(pool, '2026-11-20T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  return bill?.id ?? 0
}

test('goodwill is credit that the client sees, with who gave it and why in the log', async () => {
  const key = randomUUID()
  for (let n = 0; n < 2; n++) {
    const answer = await act(support, 'goodwill', { amount: 5 }, key)
    expect(JSON.parse(answer.text)).toEqual({ account_balance: 0, credit_balance: 5 })
  }
  expect(await held()).toEqual([0, 5])
  expect(await newest('billing-logs')).toMatchObject({ kind: 'promo', description_key: 'goodwill' })
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const { list } = await admin.get(`${base}/staff-actions?filter[client_id]=${ana.id}`)
  expect(list.map(({ attributes }) => attributes)).toMatchObject([
    { verb: 'goodwill', resource_type: 'desk-clients', ref: String(ana.id), amount: 5 },
  ])
})

test('fifty goodwills at once never pass the limit of the day', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => act(support, 'goodwill', { amount: 4 })))
  const given = answers.filter(({ status }) => status === 200).length
  expect(given).toBeLessThanOrEqual(12)
  expect(await held()).toEqual([0, 4 * given])
  // A busy machine turns some away before they are counted.
  for (let n = given; n < 12; n++) expect((await act(support, 'goodwill', { amount: 4 })).status).toBe(200)
  expect((await act(support, 'goodwill', { amount: 4 })).errors[0]?.code).toBe('staff_limit_day')
  expect(await held()).toEqual([0, 48])
  expect((await act(support, 'goodwill', { amount: 2 })).status).toBe(200)
  // A new day of the operator.
  await businessTime(pool, '2026-11-21T10:00:00Z')
  expect((await act(support, 'goodwill', { amount: 10 })).status).toBe(200)
  const above = await act(support, 'goodwill', { amount: 10.01 })
  expect([above.status, above.errors[0]?.code, above.errors[0]?.detail]).toEqual([
    403,
    'staff_limit_action',
    'Your role may move at most 10 USD at once.',
  ])
})

test('limits are in the operator’s currency, and those of each role', async () => {
  await sql`update operator_profile set base_currency = 'RON'`.execute(db)
  try {
    // A dollar is 4.5 lei.
    expect((await act(support, 'goodwill', { amount: 2.22 })).status).toBe(200)
    expect((await act(support, 'goodwill', { amount: 2.23 })).errors[0]?.code).toBe('staff_limit_action')
    expect((await act(billing, 'goodwill', { amount: 22 })).status).toBe(200)
  } finally {
    await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  }
})

test('a low rate that staff enter lifts no limit', async () => {
  await sql`update operator_profile set base_currency = 'RON'`.execute(db)
  try {
    const low = {
      base: 'USD',
      published_on: '2026-11-19',
      rate: '0.000001',
      source: 'By phone',
      confirmed: true,
    }
    const added = await billing.post(`${base}/fx-rates/-actions/addRate`, { data: low })
    expect(added.status).toBe(200)
    expect((await act(billing, 'goodwill', { amount: 22.23 })).errors[0]?.code).toBe('staff_limit_action')
    expect((await act(billing, 'goodwill', { amount: 22.22 })).status).toBe(200)
  } finally {
    await sql`delete from fx_rates where source = 'By phone'`.execute(db)
    await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  }
})

test('other roles, clients and amounts that are none are refused', async () => {
  const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
  for (const [who, verb, status] of [
    [readonly, 'goodwill', 403],
    [support, 'adjust', 403],
    [portal.as(ana), 'goodwill', 404],
    [portal.as(ana), 'adjust', 404],
    [portal.nobody, 'goodwill', 404],
  ] as const)
    expect((await act(who, verb, { amount: 1, direction: 'up' })).status, verb).toBe(status)
  for (const amount of [0, -1, 0.001, 1e9])
    expect((await act(support, 'goodwill', { amount })).status).toBe(422)
  expect(await held()).toEqual([0, 0])
})

test('a sign-in of more than ten minutes ago must be confirmed before money moves', async () => {
  const member = await makeMember(pool, 'support')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  const give = async () => {
    const headers = { 'idempotency-key': randomUUID(), 'portico-reason': 'Outage' }
    const authorization = `Bearer ${browser.cookies.get('token')}`
    const answer = await browser.ask({
      method: 'POST',
      url: `${base}/desk-clients/${ana.id}/-actions/goodwill`,
      headers: { ...headers, authorization },
      payload: { data: { amount: 1 } },
    })
    return answer.json().errors?.[0].code ?? answer.statusCode
  }
  expect(await give()).toBe(200)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  expect(await give()).toBe('recent_sign_in_required')
  expect(await held()).toEqual([0, 1])
})

test('the client reads what staff wrote for them about a movement, and never the reason', async () => {
  const outage = 'For the outage of 19 November'
  expect((await act(support, 'goodwill', { amount: 5, message: `  ${outage} ` })).status).toBe(200)
  const twice = 'A payment was counted twice'
  expect((await act(billing, 'adjust', { amount: 2, direction: 'down', message: twice })).status).toBe(200)
  expect((await act(support, 'goodwill', { amount: 1 })).status).toBe(200)
  const { list, text } = await portal.as(ana).get(`${base}/billing-logs?sort=date`)
  expect(list.map(({ attributes }) => attributes?.message)).toEqual([outage, twice, null])
  expect(text).not.toContain('A test asks for it')
  for (const message of ['', ' \u200b ', 'x'.repeat(301), 'a\nb', 5])
    expect((await act(support, 'goodwill', { amount: 1, message })).status).toBe(422)

  const stranger = await makePayer(portal)
  expect((await portal.as(stranger).get(`${base}/billing-logs`)).text).not.toContain(outage)
  await sql`update clients set status = 4, closed_at = now() where id = ${ana.id}`.execute(db)
  await db.transaction().execute((tx) => eraseAccount(tx, ana.id, new Date('2027-01-01')))
  const kept = await db.selectFrom('balance_messages').selectAll().where('client_id', '=', ana.id).execute()
  expect(kept).toEqual([])

  const late = { amount: 1, message: 'Ana Pop of Cluj' }
  for (const refused of [
    await act(support, 'goodwill', late),
    await act(billing, 'adjust', { ...late, direction: 'down' }),
  ])
    expect(refused.faults).toEqual(['409 client_erased_unreachable /message'])
  expect((await act(billing, 'adjust', { amount: 1, direction: 'down' })).status).toBe(200)
})

test('a balance is corrected up and down without a document, and both are in the log of the client', async () => {
  expect((await act(billing, 'adjust', { amount: 12.5, direction: 'up' })).status).toBe(200)
  expect((await act(billing, 'adjust', { amount: 20, direction: 'down' })).status).toBe(200)
  expect(await held()).toEqual([-7.5, 0])
  expect(await newest('billing-logs?sort=-date')).toMatchObject({
    kind: 'adjustment',
    description_key: 'adjustment',
  })
  expect((await portal.as(ana).get(`${base}/invoices`)).page.total).toBe(0)
})

test('a written off bill is owed no more, and its VAT stays declared', async () => {
  const bill = await openBill()
  expect(await held()).toEqual([-20, 0])
  expect((await onBill(bill, 'writeOff', { amount: 4.2 })).text).toBe('{"written_off":4.2,"open":20}')
  expect((await onBill(bill, 'writeOff', { amount: 20.01 })).errors[0]?.code).toBe('bill_overpaid')
  expect((await onBill(bill, 'writeOff', {})).text).toBe('{"written_off":24.2,"open":0}')
  expect((await onBill(bill, 'writeOff', {})).errors[0]?.code).toBe('bill_not_open')
  expect(await held()).toEqual([0, 0])
  expect(await newest('invoices')).toMatchObject({ status: 'paid', written_off: 24.2, open: 0 })
  const { rows } = await sql<{ code: string; sum: number }>`select a.kind as code, sum(e.amount)::float as sum
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
    where t.client_id = ${ana.id} and a.kind in ('writeoff', 'vat_payable', 'client_vat_due') group by 1 order by 1`.execute(
    db,
  )
  expect(rows).toEqual([
    { code: 'client_vat_due', sum: 0 },
    { code: 'vat_payable', sum: 4.2 },
    { code: 'writeoff', sum: -24.2 },
  ])
  await support.get(`${base}/desk-clients/${ana.id}`)
  for (const who of [support, portal.as(ana)])
    expect((await onBill(bill, 'writeOff', {}, who)).status).toBe(403)
})

test('an invoice that a client with balance does not pay is written off, and the balance is as before it', async () => {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 40 })
  const sold = { lines: [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }] }
  const { invoice_id } = JSON.parse((await act(billing, 'manualInvoice', sold)).text)
  expect(await held()).toEqual([30, 0])
  expect((await onBill(invoice_id, 'writeOff', {})).text).toBe('{"written_off":12.1,"open":0}')
  expect(await held()).toEqual([40, 0])
})

test('a refund by staff is counted against their limit, with VAT', async () => {
  await addCard(portal, ana)
  const paid = await pay(portal.as(ana), { net: 2000 })
  const url = `${base}/transactions/${paid.one.id}/-actions/refund`
  const refund = (amount: number) => keyed(billing, url, { data: { amount, reason: 'Twice' } })
  expect((await refund(826.46)).errors[0]?.code).toBe('staff_limit_action')
  expect((await refund(826.45)).status).toBe(200)
})

test('staff refund as little as a cent, with its VAT, and nothing smaller', async () => {
  await addCard(portal, ana)
  const paid = await pay(portal.as(ana), { net: 20 })
  const url = `${base}/transactions/${paid.one.id}/-actions/refund`
  const refund = (amount: number) => keyed(billing, url, { data: { amount, reason: 'Rounding' } })
  for (const amount of [0, 0.001, -1]) expect((await refund(amount)).status).toBe(422)
  expect((await refund(0.01)).status).toBe(200)
  const made = await db
    .selectFrom('payment_refunds')
    .select(['net', 'vat', 'gross'])
    .where('payment_id', '=', Number(paid.one.id))
    .execute()
  expect(made.map(({ net, vat, gross }) => [Number(net), Number(vat), Number(gross)])).toEqual([
    [0.01, 0, 0.01],
  ])
})
