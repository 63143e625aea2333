import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { evaluateOne } from '#money/balance/balances.ts'
import { systemClock } from '#platform/clock.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testVault } from '#test/support/mail.ts'
import { type Newcomer, offerCurrencies, signUp } from '#test/support/newcomer.ts'
import { makePayment } from '#test/support/payment.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const portal = await testApp(pool, { env: { rateLimitScale: 100_000 } })

const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }

let people = 0
const newcomer = () => signUp(portal, pool, `newcomer-${++people}@example.test`)

/** The currency, the credit and its books; and whether a trial runs. */
async function account({ id }: Newcomer) {
  const { rows } = await sql`
    select b.currency, b.credit_balance::float8 as credit, b.billing_status as status, b.trial_ends_at is not null as trial,
      (select string_agg(distinct a.currency, ' ') from ledger_accounts a where a.client_id = b.id) as books,
      (select count(*)::int from ledger_transactions t where t.client_id = b.id) as transactions
    from billing_profiles b where b.id = ${id}`.execute(db)
  return rows[0]
}

const choice = async (one: Newcomer) => (await one.get(`clients/${one.id}/-actions/currencyChoice`)).json
const change = (one: Newcomer, currency: string) =>
  one.send('POST', `clients/${one.id}/-actions/changeCurrency`, { data: { currency } })

test('with dollars as the only currency, a trial gets its credit at once', async () => {
  const ilie = await newcomer()
  const dollars = { currency: 'USD', books: 'USD', credit: 20, status: 0, trial: true, transactions: 1 }
  expect(await account(ilie)).toEqual(dollars)
  expect((await ilie.tell('RO')).status).toBe(201)
  expect(await account(ilie)).toEqual(dollars)
  expect(await choice(ilie)).toEqual({
    currency: 'USD',
    offered: ['USD'],
    fixed_by: 'transactions',
  })
})

test('an account follows its country, to the first currency where its own is not offered', async () => {
  await offerCurrencies(pool, 'RON')
  for (const [country, currency, credit] of [
    ['RO', 'RON', 100],
    ['DE', 'USD', 20],
    ['CH', 'USD', 20],
  ] as const) {
    const one = await newcomer()
    expect(await account(one)).toMatchObject({ currency: 'USD', credit: 0, trial: true, transactions: 0 })
    expect((await one.tell(country)).status).toBe(201)
    expect(await account(one)).toEqual({
      currency,
      books: currency,
      credit,
      status: 0,
      trial: true,
      transactions: 1,
    })
  }
  await offerCurrencies(pool, 'EUR')
  const euro = await newcomer()
  await euro.tell('BG')
  expect(await account(euro)).toMatchObject({ currency: 'EUR', books: 'EUR', credit: 20 })
})

test('credit waits for the country, its trial does not end meanwhile, and a first panel gives it too', async () => {
  const one = await newcomer()
  await evaluateOne(outside, one.id)
  expect(await account(one)).toMatchObject({ credit: 0, status: 0, trial: true })
  const projects = (await one.get('projects')).json.data
  const added = await one.send('POST', 'panels', {
    data: {
      type: 'panels',
      attributes: { name: 'Shop' },
      relationships: { project: { data: { type: 'projects', id: projects[0].id } } },
    },
  })
  expect(added.status).toBe(201)
  expect(await account(one)).toMatchObject({ currency: 'USD', credit: 20, transactions: 1 })
  // The country comes later: what was given stays, and is not given again.
  await one.tell('RO')
  expect(await account(one)).toMatchObject({ currency: 'USD', credit: 20, transactions: 1 })
})

test('a currency is changed by hand, keeps what a person chose, and is then fixed by the credit', async () => {
  const one = await newcomer()
  expect(await choice(one)).toEqual({ currency: 'USD', offered: ['USD', 'EUR', 'RON'], fixed_by: null })
  expect(await change(one, 'EUR')).toMatchObject({ status: 200, json: { currency: 'EUR' } })
  expect(await change(one, 'EUR')).toMatchObject({ status: 200, json: { currency: 'EUR' } })
  await one.tell('RO')
  expect(await account(one)).toMatchObject({ currency: 'EUR', books: 'EUR', credit: 20 })
  expect(await choice(one)).toMatchObject({ fixed_by: 'transactions' })
  const refused = await change(one, 'RON')
  expect([refused.status, refused.codes, refused.json.errors[0].detail]).toEqual([
    409,
    ['currency_fixed_by_transactions'],
    'The currency can no longer be changed, because the account has transactions.',
  ])
  expect(await account(one)).toMatchObject({ currency: 'EUR' })
})

const detail = ({ json }: { json: { errors: readonly { detail: string }[] } }) => json.errors[0]?.detail

test('a fixed currency is refused with its reason in both languages, and nothing changes', async () => {
  const one = await newcomer()
  const unknown = await change(one, 'CHF')
  expect([unknown.status, unknown.codes, unknown.json.errors[0].source]).toEqual([
    422,
    ['currency_not_offered'],
    { pointer: '/data/currency' },
  ])
  await makePayment(pool, one.id)
  expect(await change(one, 'RON')).toMatchObject({ status: 409, codes: ['currency_fixed_by_payment'] })
  await sql`update payments set status = 'canceled' where client_id = ${one.id}`.execute(db)
  await sql`update automated_billing_rules set enabled = true, status = 'active', consent_at = now() where client_id = ${one.id}`.execute(
    db,
  )
  expect(await change(one, 'RON')).toMatchObject({ status: 409, codes: ['currency_fixed_by_automatic'] })
  await sql`update automated_billing_rules set enabled = false, status = 'off' where client_id = ${one.id}`.execute(
    db,
  )
  await sql`insert into client_price_lists (client_id, price_list_id, valid)
    select ${one.id}, id, '[2020-01-01,)' from price_lists where code = 'standard'`.execute(db)
  expect(await change(one, 'RON')).toMatchObject({ status: 409, codes: ['currency_fixed_by_prices'] })
  await sql`delete from client_price_lists where client_id = ${one.id}`.execute(db)
  await sql`insert into usage_client_days (client_id, usage_on, usages) values (${one.id}, clock_today(), 1)`.execute(
    db,
  )
  one.browser.cookies.set('lang', 'ro')
  const used = await change(one, 'RON')
  expect([used.codes, detail(used)]).toEqual([
    ['currency_fixed_by_use'],
    'Moneda nu mai poate fi schimbată, pentru că există deja panouri sau consum în cont.',
  ])
  expect(await account(one)).toMatchObject({ currency: 'USD', books: 'USD' })
})

test('changing the currency removes the inactive settings whose amounts were in the old one', async () => {
  const one = await newcomer()
  await makePayment(pool, one.id)
  await sql`update payments set status = 'canceled' where client_id = ${one.id}`.execute(db)
  expect((await change(one, 'RON')).status).toBe(200)
  expect((await one.get('automated-billing-rules')).json.data).toEqual([])
})

test('no other person reads or changes the currency of an account', async () => {
  const [one, other] = [await newcomer(), await newcomer()]
  expect((await one.get(`clients/${other.id}/-actions/currencyChoice`)).status).toBe(404)
  const foreign = await one.send('POST', `clients/${other.id}/-actions/changeCurrency`, {
    data: { currency: 'EUR' },
  })
  expect(foreign.status).toBe(404)
  expect(await account(other)).toMatchObject({ currency: 'USD' })
})

test('a payment that was priced before a change of currency is tried again, and none is in another', async () => {
  const one = await newcomer()
  await expect(
    sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate, status)
      values (${one.id}, 'deposit', 'sandbox', 'EUR', 50, 10.50, 60.50, 'domestic', 'RO', 21, 'created')`.execute(
      db,
    ),
  ).rejects.toMatchObject({ code: '40001' })
})
