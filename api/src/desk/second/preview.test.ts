import { deskRequests } from '@portico/contract/resources/desk-requests.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
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
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

const ask = (who: Visitor, verb: string, about: number | string, input: object) =>
  who.post(`${base}/desk-requests/-actions/preview`, { data: { verb, ref: String(about), input } })

/** The preview, which leaves no trace but its own entry in the log. */
async function previewed(who: Visitor, verb: string, about: number, input: object) {
  const traces = async () =>
    (
      await sql`select (select count(*) from invoices) as invoices, (select count(*) from ledger_transactions) as postings,
        (select count(*) from payment_refunds) as refunds, (select count(*) from outbox_letters) as letters,
        (select count(*) from graphile_worker.jobs where task_identifier <> 'mail.send') as jobs,
        (select sum(next_number) from invoice_series) as numbers,
        (select count(*) from staff_actions where verb <> 'preview') as acts`.execute(db)
    ).rows
  const before = await traces()
  const answer = await ask(who, verb, about, input)
  expect([answer.status, answer.faults]).toEqual([200, []])
  expect(await traces()).toEqual(before)
  return deskRequests.actions.preview.output.parse(answer.json)
}

const act = async (who: Visitor, path: string, input: object) => {
  const answer = await keyed(who, `${base}/${path}`, { data: input })
  expect([answer.status, answer.faults]).toEqual([200, []])
  return answer.json as Record<string, unknown>
}
const held = async () => {
  const { list } = await portal.as(ana).get(`${base}/account-balances`)
  const { account_balance, credit_balance } = list[0]?.attributes ?? {}
  return { account_balance, credit_balance }
}
const documents = async () =>
  (await portal.as(ana).get(`${base}/invoices?sort=-issue_date`)).list.map(({ attributes = {} }) => {
    const { kind, currency, net, vat, total } = attributes
    return { kind, currency, net, vat, total }
  })

/** A bill of October over 20 and VAT. */
async function openBill(): Promise<number> {
  await businessTime(pool, '2026-10-06T10:00:00Z')
  await used(db, ana, ['2026-10-05'], '20')
  await businessTime(pool, '2026-11-20T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  return bill?.id ?? 0
}

/** A deposit of 30 and VAT, by card. */
async function paid(): Promise<number> {
  const card = await addCard(portal, ana)
  return Number((await pay(portal.as(ana), { net: 30 }, { card })).one.id)
}

test('goodwill and corrections say the balances that they then make', async () => {
  const goodwill = await previewed(support, 'goodwill', ana.id, { amount: 4 })
  expect(goodwill).toEqual({
    currency: 'USD',
    before: { account_balance: 0, credit_balance: 0 },
    after: { account_balance: 0, credit_balance: 4 },
    documents: [],
    refund: null,
    open: null,
    paid: [],
    limit_left: 10,
    limit_currency: 'USD',
    above_limit: false,
  })
  await act(support, `desk-clients/${ana.id}/-actions/goodwill`, { amount: 4 })
  expect(await held()).toEqual(goodwill.after)

  const adjust = { amount: 7.5, direction: 'down' }
  const correction = await previewed(billing, 'adjust', ana.id, adjust)
  expect(correction.before).toEqual(goodwill.after)
  await act(billing, `desk-clients/${ana.id}/-actions/adjust`, adjust)
  expect(await held()).toEqual(correction.after)
  expect(correction.after).toEqual({ account_balance: -7.5, credit_balance: 4 })
})

test('what is above the limit of the reader says so, and the day counts what was moved', async () => {
  await act(support, `desk-clients/${ana.id}/-actions/goodwill`, { amount: 10 })
  for (let n = 0; n < 3; n++) await act(support, `desk-clients/${ana.id}/-actions/goodwill`, { amount: 10 })
  await act(support, `desk-clients/${ana.id}/-actions/goodwill`, { amount: 4 })
  expect(await previewed(support, 'goodwill', ana.id, { amount: 6 })).toMatchObject({
    limit_left: 6,
    above_limit: false,
  })
  expect(await previewed(support, 'goodwill', ana.id, { amount: 6.01 })).toMatchObject({ above_limit: true })
})

test('a credit note and a write-off say the documents with their VAT, and what stays open', async () => {
  const bill = await openBill()
  const input = { reason: 'Wrong price', net: 5 }
  const credit = await previewed(billing, 'creditNote', bill, input)
  expect(credit.documents).toHaveLength(1)
  expect(credit.documents[0]).toMatchObject({ kind: 'credit_note', net: -5, vat: expect.any(Number) })
  expect(credit.documents[0]?.vat).toBeLessThan(0)
  await act(billing, `invoices/${bill}/-actions/creditNote`, input)
  expect((await documents())[0]).toEqual(credit.documents[0])
  expect(await held()).toEqual(credit.after)

  const rest = await previewed(billing, 'writeOff', bill, {})
  expect(rest).toMatchObject({ documents: [], open: { before: credit.open?.after, after: 0 } })
  await act(billing, `invoices/${bill}/-actions/writeOff`, {})
  const { one } = await portal.as(ana).get(`${base}/invoices/${bill}`)
  expect(one.attributes?.open).toBe(0)
  expect(await held()).toEqual(rest.after)
})

test('a refund says what goes back with its VAT', async () => {
  const payment = await paid()
  const input = { reason: 'A double deposit', amount: 10 }
  const { refund, documents: made } = await previewed(billing, 'refund', payment, input)
  expect(refund).toMatchObject({ currency: 'USD', net: 10 })
  // Its credit note follows once the money has left.
  expect(made).toEqual([])
  const { net, vat, gross } = await act(billing, `transactions/${payment}/-actions/refund`, input)
  expect({ net, vat, gross, currency: 'USD' }).toEqual(refund)
})

test('a transfer by hand says what it would pay, of this document and of others, and what stays on the balance', async () => {
  const bill = await openBill()
  const { full_number: number } = (await portal.as(ana).get(`${base}/invoices/${bill}`)).one.attributes ?? {}
  const { json } = await keyed(portal.as(ana), `${base}/invoices/-actions/requestProforma`, { net: 50 })
  const { invoice_id: proforma, total } = json as { invoice_id: number; total: number }
  // The money for the proforma pays the bill first.
  const input = { amount: total, received_on: '2026-11-19', reference: 'OP 17' }
  const look = await previewed(billing, 'recordBankTransfer', proforma, input)
  expect(look.paid).toEqual([{ full_number: number, before: 24.2, after: 0 }])
  expect(look.open).toEqual({ before: total, after: 0 })
  expect(look.documents).toEqual([{ kind: 'fiscal', currency: 'USD', net: 30, vat: 6.3, total: 36.3 }])
  expect(look.after).toEqual({ account_balance: 30, credit_balance: 0 })
  await act(billing, `invoices/${proforma}/-actions/recordBankTransfer`, input)
  expect((await documents())[0]).toEqual(look.documents[0])
  expect(await held()).toEqual(look.after)
  expect((await portal.as(ana).get(`${base}/invoices/${bill}`)).one.attributes?.open).toBe(0)

  const again = { ...input, amount: total + 1 }
  const refused = await ask(billing, 'recordBankTransfer', proforma, again)
  expect(refused.faults).toEqual(['409 transfer_recorded_otherwise /data/reference'])
})

test('a preview refuses what the verb refuses, and its roles are those of the verb', async () => {
  const goodwill = { amount: 1 }
  const client = portal.as(ana)
  for (const who of [client, portal.nobody])
    expect((await ask(who, 'goodwill', ana.id, goodwill)).status).toBe(404)
  const reader = portal.staff(await makeAdmin(pool, 'readonly'))
  expect((await ask(reader, 'goodwill', ana.id, goodwill)).status).toBe(403)
  expect((await ask(support, 'adjust', ana.id, { amount: 1, direction: 'up' })).status).toBe(403)
  for (const about of [999_999, 'x', '0x1'])
    for (const verb of ['goodwill', 'writeOff', 'writeOffDebt'])
      expect((await ask(billing, verb, about, verb === 'goodwill' ? goodwill : {})).status).toBe(404)
  for (const input of [{ amount: -1 }, { amount: 'much' }, {}, { amount: 1, more: true }])
    expect((await ask(support, 'goodwill', ana.id, input)).status).toBe(422)
  expect((await ask(support, 'block', ana.id, {})).status).toBe(422)
  const late = portal.staff(await makeAdmin(pool), 'an hour ago')
  expect((await ask(late, 'goodwill', ana.id, goodwill)).faults).toEqual(['403 recent_sign_in_required'])
  const bare = await support.call('POST', `${base}/desk-requests/-actions/preview`, {
    body: { data: { verb: 'goodwill', ref: String(ana.id), input: goodwill } },
    headers: { 'portico-reason': '' },
  })
  expect(bare.errors[0]?.code).toBe('staff_reason_required')
})

test('the log names the client of each look', async () => {
  await previewed(support, 'goodwill', ana.id, { amount: 5 })
  const { rows } =
    await sql`select type, verb, client_id, amount, counted_on from staff_actions order by id desc limit 1`.execute(
      db,
    )
  expect(rows).toEqual([
    { type: 'desk-requests', verb: 'preview', client_id: ana.id, amount: null, counted_on: null },
  ])
})
