import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ageDocuments } from '#money/invoices/files.ts'
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
let billing: Visitor
let ana: Account
let lines = 0

beforeAll(async () => {
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
beforeEach(async () => {
  // Series whose days start again, because some tests move the clock.
  await newSeries(pool)
  await businessTime(pool, '2026-10-20T10:00:00Z')
  ana = await makePayer(portal)
})

const request = (who: Visitor, input: object) =>
  keyed(who, `${base}/invoices/-actions/requestProforma`, { data: input })

const read = async (id: number) => (await portal.as(ana).get(`${base}/invoices/${id}`)).one.attributes ?? {}

const requested = async (input: object, who = portal.as(ana)) => JSON.parse((await request(who, input)).text)

const balance = async () => {
  const { list } = await portal.as(ana).get(`${base}/account-balances`)
  return list[0]?.attributes?.account_balance
}

test('a client without a card requests a proforma, and a transfer of it is on the balance', async () => {
  const asked = await requested({ net: 50 })
  expect(asked).toEqual({
    invoice_id: expect.any(Number),
    full_number: expect.stringMatching(/^TP\d+-1$/),
    total: 60.5,
    currency: 'USD',
  })
  expect(await read(asked.invoice_id)).toMatchObject({
    kind: 'proforma',
    status: 'unpaid',
    open: 60.5,
    bank_details: { iban: 'RO49AAAA1B31007593840000', reference: asked.full_number },
  })
  const { rows } = await sql<{ today: string }>`select operator_today() as today`.execute(db)
  const line = { amount: 60.5, received_on: rows[0]?.today, reference: `OP ${++lines}` }
  await keyed(billing, `${base}/invoices/${asked.invoice_id}/-actions/recordBankTransfer`, line)
  expect([await balance(), (await read(asked.invoice_id)).status]).toEqual([50, 'paid'])
})

test('the same request twice is one proforma', async () => {
  const key = crypto.randomUUID()
  const url = `${base}/invoices/-actions/requestProforma`
  const answers = [1, 2].map(() => keyed(portal.as(ana), url, { data: { net: 50 } }, key))
  const texts = (await Promise.all(answers)).filter(({ status }) => status === 200).map(({ text }) => text)
  expect(new Set(texts).size).toBe(1)
  expect((await portal.as(ana).get(`${base}/invoices`)).page.total).toBe(1)
})

test('without an amount it is for all that is owed: open bills, and the debt that no bill asks for', async () => {
  expect((await request(portal.as(ana), {})).faults).toEqual(['409 nothing_owed'])
  await used(db, ana, ['2026-10-05'], '20')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  await db.transaction().execute((tx) => closeMonth(tx, ana.id, month))
  await used(db, ana, ['2026-11-01'], '10')
  const asked = await requested({})
  expect(asked.total).toBe(36.3)
  const line = { amount: 36.3, received_on: '2026-11-02', reference: `OP ${++lines}` }
  await keyed(billing, `${base}/invoices/${asked.invoice_id}/-actions/recordBankTransfer`, line)
  expect(await balance()).toBe(0)
  expect(await verifyLedger(db)).toEqual([])
})

test('what is owed includes the usage of today, as for a card', async () => {
  await used(db, ana, ['2026-11-01'], '10')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  await used(db, ana, ['2026-11-02'], '2', { charged: false })
  // (10 + 2) and 21% of it.
  expect(await requested({})).toMatchObject({ total: 14.52 })
})

test('a card pays it as it was priced, once, and may try again after a refusal', async () => {
  const asked = await requested({ net: 50 })
  const of = { purpose: 'deposit', invoice_id: asked.invoice_id }
  const refusing = await addCard(portal, ana, '4000 0000 0000 0341')
  expect((await pay(portal.as(ana), of, { card: refusing })).one.attributes).toMatchObject({
    status: 'failed',
  })
  expect((await read(asked.invoice_id)).status).toBe('unpaid')
  const card = await addCard(portal, ana)
  const quote = await portal
    .as(ana)
    .get(
      `${base}/transactions/-actions/quote?payload[purpose]=deposit&payload[invoice_id]=${asked.invoice_id}`,
    )
  expect(JSON.parse(quote.text)).toMatchObject({ net: 50, vat: 10.5, gross: 60.5 })
  const answers = await Promise.all([1, 2, 3].map(() => pay(portal.as(ana), of, { card })))
  const paid = answers.filter(({ status }) => status === 201)
  expect(paid.map(({ one }) => one.attributes)).toMatchObject([{ status: 'succeeded', gross: 60.5 }])
  expect([await balance(), (await read(asked.invoice_id)).status]).toEqual([50, 'paid'])
  expect((await pay(portal.as(ana), of, { card })).faults).toEqual([
    '422 proforma_not_open /data/attributes/invoice_id',
  ])
})

test('it expires, and a card cannot pay it any more', async () => {
  const asked = await requested({ net: 50 })
  await sql`update clock set ahead = ahead + interval '60 days'`.execute(db)
  await ageDocuments(db)
  expect((await read(asked.invoice_id)).status).toBe('expired')
  const card = await addCard(portal, ana)
  const late = await pay(portal.as(ana), { purpose: 'deposit', invoice_id: asked.invoice_id }, { card })
  expect(late.errors[0]?.code).toBe('proforma_not_open')
})

test('neither a stranger, support nor somebody else’s card reaches an account’s proformas', async () => {
  const eve = await makePayer(portal)
  const asked = await requested({ net: 50 })
  expect((await request(portal.as(eve), { client_id: ana.id, net: 50 })).errors[0]?.code).toBe(
    'billing_not_open',
  )
  const support = portal.staff(await makeAdmin(pool))
  expect((await request(support, { client_id: ana.id, net: 50 })).status).toBe(403)
  await addCard(portal, eve)
  const taken = await pay(portal.as(eve), { purpose: 'deposit', invoice_id: asked.invoice_id })
  expect(taken.errors[0]?.code).toBe('proforma_not_open')
  expect((await request(portal.nobody, { net: 50 })).status).toBe(401)
})

test('staff requests one of any amount for a client; clients keep to the limits, and to twenty', async () => {
  expect(await requested({ client_id: ana.id, net: 0.01 }, billing)).toMatchObject({ total: 0.01 })
  expect((await request(billing, { net: 5 })).status).toBe(404)
  expect((await request(portal.as(ana), { net: 4.99 })).faults).toEqual(['422 number_least /data/net'])
  for (let n = 0; n < 18; n++) expect((await request(portal.as(ana), { net: 50 })).status).toBe(200)
  const last = await Promise.all([1, 2, 3].map(() => request(portal.as(ana), { net: 50 })))
  expect(last.flatMap(({ faults }) => faults)).toEqual(['429 proformas_most', '429 proformas_most'])
})

test('one that was cancelled counts for a day, so that no series is used up', async () => {
  for (let n = 0; n < 20; n++) {
    const { invoice_id: id } = await requested({ net: 50 })
    expect((await portal.as(ana).post(`${base}/invoices/${id}/-actions/cancelProforma`, {})).status).toBe(200)
  }
  expect((await request(portal.as(ana), { net: 50 })).faults).toEqual(['429 proformas_most'])
  await sql`update clock set ahead = ahead + interval '25 hours'`.execute(db)
  expect((await request(portal.as(ana), { net: 50 })).status).toBe(200)
})

test('without a bank account of the operator none is issued', async () => {
  await sql`update operator_profile set iban = null`.execute(db)
  try {
    expect((await request(portal.as(ana), { net: 50 })).faults).toEqual(['409 transfer_not_offered'])
  } finally {
    await sql`update operator_profile set iban = 'RO49AAAA1B31007593840000'`.execute(db)
  }
})
