import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '#test/support/account.ts'
import { addCard, answerBank, keyed, makePayer, pay, requestCard } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { booksOf, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { priceOf } from './payment-price.ts'

const portal = await testPortal({ poolSize: 16 })
const { pool } = portal
const db = pool.kysely
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  ana = await makePayer(portal)
})

const url = `${base}/transactions`

const books = (client: Account) => booksOf(db, client)

async function documents(client: Account) {
  const { rows } = await sql<{ what: string }>`
    select i.kind || ' ' || s.code || ' ' || i.net || ' + ' || i.vat as what from invoices i
    join invoice_statuses s on s.id = i.invoice_status_id where client_id = ${client.id} order by i.id`.execute(
    db,
  )
  return rows.map(({ what }) => what)
}

/** Quotes a payment. */
async function quoted(visitor: Visitor, payload: Record<string, string | number>) {
  const query = Object.entries(payload).map(([name, value]) => `payload[${name}]=${value}`)
  return JSON.parse((await visitor.get(`${url}/-actions/quote?${query.join('&')}`)).text)
}

describe('a deposit', () => {
  test('is quoted, charged with VAT on top, and is on the balance with its invoice', async () => {
    const me = portal.as(ana)
    await addCard(portal, ana)
    expect(await quoted(me, { purpose: 'deposit', amount: 50 })).toMatchObject({
      net: 50,
      vat_rate: 21,
      vat: 10.5,
      gross: 60.5,
      treatment: 'domestic',
      allocations: [{ to: 'balance', gross: 60.5 }],
      // Nothing is used: it would last for ever.
      new_exhaustion_date: null,
    })
    const paid = await pay(me, { net: 50 })
    expect([paid.status, paid.one.attributes]).toMatchObject([
      201,
      { status: 'succeeded', net: 50, vat: 10.5, gross: 60.5, card_last4: '4242', failure_code: null },
    ])
    expect(await books(ana)).toEqual({ balance: '50', entries: 1, wrong: 0 })
    expect(await documents(ana)).toEqual(['proforma paid 50.00 + 10.50', 'fiscal paid 50.00 + 10.50'])
    const read = await me.get(`${url}/${paid.one.id}?include=invoice,card`)
    expect(read.included.map(({ type }) => type).sort()).toEqual(['cards', 'invoices'])
  })

  test('is quoted with the day until which the balance lasts then, a bill with its net', async () => {
    const me = portal.as(ana)
    const bill = await openBill(ana, '30', '6.30')
    const { rows } = await sql<Record<'before' | 'today' | 'later', string>>`select clock_today() as today,
      clock_today() - 1 as before, clock_today() + 6 as later`.execute(db)
    const [{ before = '', today = '', later = '' } = {}] = rows
    // From then on 40 are owed, and 10 are used in a day.
    await used(db, ana, [before], '10')
    const lasts = async (payload: Record<string, string | number>) =>
      (await quoted(me, payload)).new_exhaustion_date
    expect(await lasts({ purpose: 'deposit', amount: 100 })).toBe(later)
    expect(await lasts({ purpose: 'service_bill', invoice_id: bill })).toBe(today)
  })

  test('pays the oldest open bill first, and what is left goes to the balance', async () => {
    const me = portal.as(ana)
    await addCard(portal, ana)
    const bill = await openBill(ana, '10', '2.10')
    const paid = await pay(me, { net: 50 })
    expect(paid.one.attributes).toMatchObject({ status: 'succeeded', gross: 60.5 })
    // 12.10 for the bill; of the other 48.40 are 40.00 net.
    expect(await books(ana)).toEqual({ balance: '40', entries: 4, wrong: 0 })
    expect((await documents(ana)).slice(-1)).toEqual(['fiscal paid 40.00 + 8.40'])
    const { rows } = await sql<{ paid: string }>`select paid from invoices where id = ${bill}`.execute(db)
    expect(rows[0]?.paid).toBe('12.10')
  })

  test.each([
    [{ net: 4.99 }, '/data/attributes/net'],
    [{ net: 10.001 }, '/data/attributes/net'],
    [{ net: 5.100000001 }, '/data/attributes/net'],
    [{ net: 10_001 }, '/data/attributes/net'],
    [{ net: -50 }, '/data/attributes/net'],
    [{}, '/data/attributes/net'],
    [{ net: 50, invoice_id: 1 }, '/data/attributes/invoice_id'],
    [{ purpose: 'auto_recharge', net: 50 }, '/data/attributes/purpose'],
    [{ purpose: 'bank_transfer', net: 50 }, '/data/attributes/purpose'],
    [{ purpose: 'service_bill', invoice_id: 999_999 }, '/data/attributes/invoice_id'],
    [{ purpose: 'service_bill' }, '/data/attributes/invoice_id'],
    [{ purpose: 'service_bill', invoice_id: 1, net: 50 }, '/data/attributes/net'],
  ])('is refused as %j', async (attributes, pointer) => {
    await addCard(portal, ana)
    const answer = await pay(portal.as(ana), attributes)
    expect([answer.status, answer.errors[0]?.source]).toEqual([422, { pointer }])
    expect(await books(ana)).toMatchObject({ entries: 0 })
  })

  test('is bounded by the amounts of the currency of the account, which its profile names', async () => {
    const mihai = await makePayer(portal, null, { currency: 'RON' })
    const me = portal.as(mihai)
    await addCard(portal, mihai)
    for (const [net, code] of [
      [24.99, 'number_least'],
      [50_000.01, 'number_most'],
    ] as const) {
      const answer = await pay(me, { net })
      expect([answer.status, answer.errors[0]?.code]).toEqual([422, code])
      const quote = `${url}/-actions/quote?payload[purpose]=deposit&payload[amount]=${net}`
      expect((await me.get(quote)).errors[0]?.code).toBe(code)
    }
    const paid = await pay(me, { net: 25 })
    expect(paid.one.attributes).toMatchObject({ status: 'succeeded', net: 25, currency: 'RON' })
    const refund = await keyed(me, `${url}/${paid.one.id}/-actions/refund`, {
      amount: 50_000.01,
      reason: 'Too much',
    })
    expect([refund.status, refund.errors[0]?.code]).toEqual([422, 'number_most'])
    const profile = (await me.get(`${base}/billing-profiles/${mihai.id}`)).one.attributes
    expect(profile).toMatchObject({
      currency: 'RON',
      credit_limit: 250,
      amounts: {
        deposit_least: 25,
        deposit_most: 50_000,
        quick_amounts: [100, 250, 500, 1000],
        threshold_least: 25,
        threshold_usual: 75,
        recharge_least: 50,
        recharge_usual: 250,
        cap_most: 500_000,
      },
    })
  })

  test('without a card or an address, or with the card of another account, charges nothing', async () => {
    const me = portal.as(ana)
    const without = await pay(me, { net: 50 })
    expect([without.status, without.errors[0]?.code]).toEqual([409, 'no_card'])
    const other = await makePayer(portal)
    const foreign = await addCard(portal, other)
    expect((await pay(me, { net: 50 }, { card: foreign })).status).toBe(404)
    await addCard(portal, ana)
    expect((await pay(me, { net: 50, client_id: other.id })).status).toBe(403)
    await sql`update client_entities set city = null where client_id = ${ana.id}`.execute(db)
    const incomplete = await pay(me, { net: 50 })
    expect([incomplete.status, incomplete.errors[0]?.code]).toEqual([422, 'billing_info_incomplete'])
    const quote = `${base}/transactions/-actions/quote?payload[purpose]=deposit&payload[amount]=5`
    const saidIn = async (language: string) =>
      (await me.get(quote, { 'accept-language': language })).errors.map(({ detail }) => detail)
    expect([await saidIn('en'), await saidIn('ro')]).toEqual([
      ['The city is missing.'],
      ['Lipsește localitatea.'],
    ])
    expect(await books(ana)).toMatchObject({ entries: 0 })
  })
})

/** A bill of use that nothing covered. */
async function openBill(client: Account, net: string, vat: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into invoices (client_id, kind, reason, currency, due_date, tax_point_date, period, seller, buyer,
        vat_treatment, vat_country, vat_rate, vat_evidence, net, vat, total, vat_groups, local_currency, vat_local, locale)
      values (${client.id}, 'fiscal', 'service_bill', 'USD', '2026-02-14', '2026-01-31', '[2026-01-01,2026-02-01)', '{}', '{}',
        'domestic', 'RO', 21, '{}', ${net}, ${vat}, ${net}::numeric + ${vat}::numeric,
        jsonb_build_array(jsonb_build_object('net', ${net}::text, 'vat', ${vat}::text)), 'RON', 0, 'en') returning id
    ) select id from made`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`insert into invoice_lines (invoice_id, position, kind, description_en, description_ro, quantity, unit_price,
      net, vat_category, vat_country, vat_rate)
    values (${id}, 1, 'usage', 'Use', 'Utilizare', 1, ${net}, ${net}, 'S', 'RO', 21)`.execute(db)
  await sql`select invoice_issue(${id}, operator_today(), 'unpaid')`.execute(db)
  const entries = (lines: [string, string][]) =>
    JSON.stringify(lines.map(([account, amount]) => ({ account, amount })))
  await sql`select ledger_post(${`use:${id}`}, 'correction', ${client.id}, 'USD', clock_today(),
    ${entries([
      [`client:${client.id}:balance`, `-${net}`],
      ['revenue:usage:USD', net],
    ])}::jsonb)`.execute(db)
  await sql`select ledger_post(${`bill:${id}`}, 'service_bill', ${client.id}, 'USD', clock_today(),
    ${entries([
      [`client:${client.id}:vat_due`, `-${vat}`],
      ['vat:RO:21:USD', vat],
    ])}::jsonb)`.execute(db)
  return id
}

describe('a bill', () => {
  test('is not charged automatically while a person pays it', async () => {
    const card = await addCard(portal, ana, '4000 0027 6000 3184')
    const bill = await openBill(ana, '30', '6.30')
    const wish = { clientId: ana.id, net: '50', withBills: true }
    expect(await priceOf(db, wish)).toMatchObject({ net: '80.00' })
    const begun = await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: bill }, { card })
    expect(begun.one.attributes).toMatchObject({ status: 'requires_action' })
    expect(await priceOf(db, wish)).toMatchObject({ net: '50.00' })
  })

  test('is paid to the cent; two tabs pay it once', async () => {
    const me = portal.as(ana)
    await addCard(portal, ana)
    const bill = await openBill(ana, '30', '6.30')
    const answers = await Promise.all(
      [1, 2, 3].map(() => pay(me, { purpose: 'service_bill', invoice_id: bill })),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    expect(made[0]?.one.attributes).toMatchObject({ status: 'succeeded', net: 30, vat: 6.3, gross: 36.3 })
    expect(answers.map(({ status }) => status).filter((status) => status !== 201)).toEqual(
      expect.arrayContaining([expect.toSatisfy((status: number) => status === 409 || status === 422)]),
    )
    expect(await books(ana)).toEqual({ balance: '0', entries: 3, wrong: 0 })
  })
})

describe('a challenge', () => {
  test('is answered on the bank’s page, and the payment goes on from its link', async () => {
    const me = portal.as(ana)
    const card = await addCard(portal, ana, '4000 0027 6000 3184')
    const begun = await pay(me, { net: 20 }, { card })
    expect(begun.one.attributes).toMatchObject({ status: 'requires_action' })
    expect(await books(ana)).toMatchObject({ entries: 0 })
    // A plain read has no address of the challenge; resuming returns it again.
    expect((await me.get(`${url}/${begun.one.id}`)).one.attributes).toMatchObject({ challenge_url: null })
    const resumed = JSON.parse((await me.post(`${url}/${begun.one.id}/-actions/confirm`, {})).text)
    expect(resumed).toMatchObject({
      status: 'requires_action',
      challenge_url: begun.one.attributes?.challenge_url,
    })
    const { pathname } = new URL(resumed.challenge_url)
    const ask = async (headers: Record<string, string>, path = pathname) =>
      (await portal.app.inject({ url: path, headers })).body
    expect(await ask({ cookie: 'lang=ro' })).toContain('cardul care se termină în 3184')
    expect(await ask({ 'accept-language': 'ro-RO,ro;q=0.9' })).toContain('<html lang="ro">')
    expect(await ask({ cookie: 'lang=en', 'accept-language': 'ro' })).toContain(
      'with the card ending in 3184',
    )
    expect(await ask({ cookie: 'lang=ro' }, `${pathname}x`)).toContain('Nimic de confirmat')
    expect(await answerBank(portal, resumed.challenge_url, 'yes')).toBe(
      `/payment?transaction=${begun.one.id}`,
    )
    const done = await me.post(`${url}/${begun.one.id}/-actions/confirm`, {})
    expect(JSON.parse(done.text)).toMatchObject({ status: 'succeeded' })
    expect(await books(ana)).toEqual({ balance: '20', entries: 1, wrong: 0 })
  })

  test('that is refused ends the payment; after a cancellation it can no longer be answered', async () => {
    const me = portal.as(ana)
    const card = await addCard(portal, ana, '4000 0027 6000 3184')
    const first = await pay(me, { net: 20 }, { card })
    await answerBank(portal, first.one.attributes?.challenge_url, 'no')
    const failed = await me.post(`${url}/${first.one.id}/-actions/confirm`, {})
    expect(JSON.parse(failed.text)).toMatchObject({
      status: 'failed',
      failure_code: 'authentication_failed',
    })
    const second = await pay(me, { net: 20 }, { card })
    const canceled = await me.post(`${url}/${second.one.id}/-actions/cancel`, {})
    expect(JSON.parse(canceled.text)).toMatchObject({ status: 'canceled' })
    await expect(answerBank(portal, second.one.attributes?.challenge_url, 'yes')).rejects.toThrow('404')
    expect((await me.post(`${url}/${second.one.id}/-actions/cancel`, {})).status).toBe(409)
    expect(await documents(ana)).toEqual([
      'proforma cancelled 20.00 + 4.20',
      'proforma cancelled 20.00 + 4.20',
    ])
  })

  test('cannot be answered at a guessed address or by another person', async () => {
    const card = await addCard(portal, ana, '4000 0027 6000 3184')
    const begun = await pay(portal.as(ana), { net: 20 }, { card })
    const { pathname } = new URL(String(begun.one.attributes?.challenge_url))
    const [, , , ref] = pathname.split('/')
    for (const token of ['', 'x', 'a'.repeat(32)])
      expect((await portal.app.inject({ url: `/sandbox/challenge/${ref}/${token}` })).statusCode).toBe(404)
    const stranger = portal.as(await makePayer(portal))
    expect((await stranger.post(`${url}/${begun.one.id}/-actions/confirm`, {})).status).toBe(404)
  })
})

describe('the same request', () => {
  test('twenty at once with one key charge once, and are answered the same', async () => {
    const me = portal.as(ana)
    await addCard(portal, ana)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(me, { net: 50 }, { key })))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true)
    for (const busy of answers.filter(({ status }) => status === 409)) {
      expect(busy.errors[0]?.code).toBe('idempotency_in_progress')
      expect(busy.header('retry-after')).toBe('2')
    }
    const again = await pay(me, { net: 50 }, { key })
    const first = answers.find(({ status }) => status === 201)
    expect([again.status, again.text, again.header('location')]).toEqual([
      201,
      first?.text,
      first?.header('location'),
    ])
    expect(again.header('idempotency-replayed')).toBe('true')
    expect(await books(ana)).toEqual({ balance: '50', entries: 1, wrong: 0 })
  })

  test('another request with its key is refused; without a key nothing is charged', async () => {
    const me = portal.as(ana)
    await addCard(portal, ana)
    const key = randomUUID()
    await pay(me, { net: 50 }, { key })
    const other = await pay(me, { net: 51 }, { key })
    expect([other.status, other.errors[0]?.code]).toEqual([422, 'idempotency_key_reused'])
    const without = await me.post(url, {
      data: { type: 'transactions', attributes: { purpose: 'deposit', net: 50 } },
    })
    expect([without.status, without.errors[0]?.code]).toEqual([400, 'idempotency_key_required'])
    // The key of one person is nothing to another.
    const ion = await makePayer(portal)
    await addCard(portal, ion)
    expect((await pay(portal.as(ion), { net: 50 }, { key })).status).toBe(201)
    expect(await books(ana)).toMatchObject({ entries: 1 })
  })

  test('also accepts a key in other types: one workspace, the same answer', async () => {
    const me = portal.as(ana)
    const body = { data: { type: 'projects', attributes: { name: 'Once' } } }
    const [first, second] = [
      await keyed(me, `${base}/projects`, body, 'once'),
      await keyed(me, `${base}/projects`, body, '"once"'),
    ]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    const twice = await me.post(`${base}/projects`, body)
    expect(twice.status).toBe(409)
  })

  test('stores its answer sealed', async () => {
    const setup = await requestCard(portal.as(ana))
    const secret = String(setup.one.attributes?.client_secret)
    expect(secret.length).toBeGreaterThan(20)
    const { rows } = await sql<{
      answer: Buffer
    }>`select answer from idempotency_keys where answer is not null`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ answer }) => answer.includes(secret))).toBe(false)
  })
})

test('cards are not tried out here: neither many of them, nor one that is refused again and again', async () => {
  const me = portal.as(ana)
  const card = await addCard(portal, ana, '4000 0000 0000 0341')
  // At once, so that none knows what becomes of the others.
  const tries = await Promise.all(Array.from({ length: 12 }, () => pay(me, { net: 5 }, { card })))
  expect(tries.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 429, 429])
  const refused = await pay(me, { net: 5 }, { card })
  expect([refused.status, refused.errors[0]?.code, refused.header('retry-after')]).toEqual([
    429,
    'payments_refused_often',
    '3600',
  ])
  for (let n = 1; n < 20; n++) expect((await requestCard(me)).status).toBe(201)
  expect((await requestCard(me)).status).toBe(429)
})

test("a bank's challenge does not reveal a working card either; only paying resets the count", async () => {
  const me = portal.as(ana)
  const card = await addCard(portal, ana, '4000 0027 6000 3184')
  for (let n = 0; n < 10; n++) {
    const begun = await pay(me, { net: 5 }, { card })
    expect(begun.one.attributes?.status).toBe('requires_action')
    if (n > 0) await me.post(`${url}/${begun.one.id}/-actions/cancel`, {})
  }
  expect((await pay(me, { net: 5 }, { card })).status).toBe(429)
  const [first] = (await me.get(`${url}?filter[status]=requires_action`)).list
  const resumed = JSON.parse((await me.post(`${url}/${first?.id}/-actions/confirm`, {})).text)
  await answerBank(portal, resumed.challenge_url, 'yes')
  await me.post(`${url}/${first?.id}/-actions/confirm`, {})
  expect((await pay(me, { net: 5 }, { card })).status).toBe(201)
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
