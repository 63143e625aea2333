import { fxRates } from '@portico/contract/resources/fx-rates.ts'
import { base as root } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${root}/fx-rates`
const billing = portal.staff(await makeAdmin(pool, 'billing'))

beforeEach(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  await sql`delete from fx_rates`.execute(db)
})

const rate = { base: 'USD', published_on: '2026-11-19', rate: '4.3952', source: 'BNR, by phone' }
const add = (who: Visitor, more: object = {}) =>
  who.post(`${url}/-actions/addRate`, { data: { ...rate, ...more } })
const faults = async (who: Visitor, more: object = {}) =>
  (await add(who, more)).errors.map(({ status, code }) => `${status} ${code}`)
const needOf = async (currency: string) => {
  const { json } = await billing.get(`${url}/-actions/needs`)
  return fxRates.actions.needs.output.parse(json).needs.find(({ base }) => base === currency)
}

test('a missing rate is entered, counts from the next day, and is in the log with its reason', async () => {
  expect(await needOf('USD')).toEqual({
    base: 'USD',
    quote: 'RON',
    newest: null,
    rate: null,
    counts: false,
    used: false,
    price_lists: ['standard'],
  })
  expect((await add(billing)).status).toBe(200)
  expect(await needOf('USD')).toMatchObject({ newest: '2026-11-19', rate: '4.3952', counts: true })
  const { list } = await billing.get(`${url}?filter[base]=USD`)
  expect(list[0]?.attributes).toMatchObject({ ...rate, quote: 'RON' })
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const log = await admin.get(`${root}/staff-actions?filter[verb]=addRate`)
  expect(log.list[0]?.attributes).toMatchObject({ reason: 'A test asks for it' })
  expect(JSON.stringify(log.list[0]?.attributes?.changes)).toContain('4.3952')
})

test('a rate is used once a client has an account in its currency, and is not needed without a default list', async () => {
  await sql`update price_lists set is_default = false where code = 'standard'`.execute(db)
  expect(await needOf('USD')).toBeUndefined()
  await sql`update price_lists set is_default = true where code = 'standard'`.execute(db)
  expect(await needOf('USD')).toMatchObject({ counts: false, used: false })
  await makeAccount(pool, { projects: 0, panels: 0 })
  expect(await needOf('USD')).toMatchObject({ counts: false, used: true })
})

test('the source of fetched rates is refused before a person is asked to sign in again', async () => {
  const { email } = await makeMember(pool, 'billing')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  const enter = async (source: string) => {
    const payload = { data: { ...rate, source } }
    const answer = await browser.ask({ method: 'POST', url: `${url}/-actions/addRate`, headers, payload })
    return answer.json().errors?.[0]
  }
  expect(await enter('BNR')).toMatchObject({
    code: 'exchange_source_published',
    source: { pointer: '/data/source' },
  })
  expect((await enter('BNR, by phone')).code).toBe('recent_sign_in_required')
})

test('rates of days to come, which a demo knows, are neither listed nor counted', async () => {
  await add(billing)
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    values ('USD', 'RON', '2027-01-04', 4.9, 'recorded')`.execute(db)
  expect((await needOf('USD'))?.newest).toBe('2026-11-19')
  const { list } = await billing.get(url)
  expect(list.map(({ attributes }) => attributes?.published_on)).toEqual(['2026-11-19'])
})

test('a rate that jumps is stored once it is confirmed', async () => {
  await add(billing, { published_on: '2026-11-18' })
  expect(await faults(billing, { rate: '5.5' })).toEqual(['409 exchange_rate_unconfirmed'])
  expect((await needOf('USD'))?.newest).toBe('2026-11-18')
  expect(await faults(billing, { rate: '5.5', confirmed: true })).toEqual([])
  expect(await needOf('USD')).toMatchObject({ newest: '2026-11-19', rate: '5.5' })
})

test.each([
  [{ base: 'RON' }, '422 exchange_currency_own'],
  [{ base: 'XXX' }, '422 exchange_currency_unknown'],
  [{ published_on: '2026-11-21' }, '422 exchange_day_ahead'],
  [{ rate: '0.000' }, '422 value_invalid'],
  [{ rate: '4.39521234' }, '422 value_invalid'],
  [{ source: ' ' }, '422 value_required'],
  [{ source: 'BNR' }, '422 exchange_source_published'],
  [{ source: 'recorded' }, '422 exchange_source_published'],
])('%j is refused', async (more, fault) => {
  expect(await faults(billing, more)).toEqual([fault])
})

test('an entered rate is replaced, a published one is not', async () => {
  await add(billing)
  expect(await faults(billing, { rate: '4.4' })).toEqual([])
  expect(await needOf('USD')).toMatchObject({ rate: '4.4' })
  await sql`update fx_rates set source = 'bnr'`.execute(db)
  expect(await faults(billing)).toEqual(['409 exchange_rate_published'])
  expect(await needOf('USD')).toMatchObject({ rate: '4.4' })
})

test('the rate of an issued document stays', async () => {
  await add(billing)
  const ana = await makeAccount(pool, { projects: 1, panels: 0 })
  await makeBuyer(pool, ana)
  await db.transaction().execute((tx) => issueInvoice(tx, { clientId: ana.id, sum: { net: '10' } }))
  expect(await faults(billing)).toEqual(['409 exchange_rate_stated'])
})

const fetchOf = async () => {
  const { json } = await billing.get(`${url}/-actions/needs`)
  return fxRates.actions.needs.output.parse(json).fetch
}

test('a fetch that failed says why, until another one is asked for', async () => {
  await sql`select graphile_worker.remove_job('fx.fetch')`.execute(db)
  expect(await fetchOf()).toBeNull()
  await billing.post(`${url}/-actions/fetchRates`, { data: {} })
  expect(await fetchOf()).toEqual({ problem: null, again_at: expect.any(String) })
  await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'curs.bnr.ro cannot be reached'
    where key = 'fx.fetch'`.execute(db)
  expect((await fetchOf())?.problem).toBe('curs.bnr.ro cannot be reached')
  await billing.post(`${url}/-actions/fetchRates`, { data: {} })
  expect((await fetchOf())?.problem).toBeNull()
})

test('a fetch is queued, and only billing and administrators change rates', async () => {
  await sql`select graphile_worker.remove_job('fx.fetch')`.execute(db)
  expect((await billing.post(`${url}/-actions/fetchRates`, { data: {} })).status).toBe(200)
  const { rows } = await sql`select 1 from graphile_worker.jobs where key = 'fx.fetch'`.execute(db)
  expect(rows).toHaveLength(1)
  const ana = portal.as(await makeAccount(pool, { projects: 1, panels: 0 }))
  expect([(await ana.get(url)).status, (await add(ana)).status]).toEqual([404, 404])
  for (const role of ['support', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    expect([(await add(who)).status, (await who.get(url)).status]).toEqual([403, 200])
  }
})
