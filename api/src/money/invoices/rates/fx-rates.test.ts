import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type JobRunner, startJobs } from '#start/jobs.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { addCard, makePayer, pay } from '#test/support/card.ts'
import { only, TestEngine, testVault } from '#test/support/engine.ts'
import { testPostOffice } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import type { ExchangeRates, PublishedRates } from './exchange-rates.ts'
import { fxRate } from './fx.ts'
import { fetchRates, requestRates, watchRates } from './fx-rates.ts'

const portal = await testPortal()
const { pool } = portal
// The portal of visitors is behind a proxy, which gets no metrics.
const { app } = await testApp(pool)
const db = pool.kysely

const logged: string[] = []
let runner: JobRunner | undefined
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  logged.length = 0
  await sql`delete from operator_profile`.execute(db)
  await sql`delete from staff_alerts`.execute(db)
  await sql`delete from fx_rates`.execute(db)
})

const operator = (currency = 'RON') =>
  sql`insert into operator_profile (legal_name, vat_number, tax_number, address1, city, county_code, zip_code, country, base_currency)
    values ('Test Cloud SRL', 'RO12345674', '12345674', 'Strada Lungă 1', 'Cluj-Napoca', 'RO-CJ', '400114', 'RO', ${currency})`.execute(
    db,
  )
await sql`insert into invoice_series (prefix, kind) values ('HST', 'fiscal'), ('ST', 'credit_note')`.execute(
  db,
)
await sql`insert into proforma_series (prefix) values ('PRF')`.execute(db)

const day = (publishedOn: string, usd: string, source = 'bnr'): PublishedRates => ({
  publishedOn,
  source,
  rates: [
    { base: 'USD', quote: 'RON', rate: usd },
    { base: 'AED', quote: 'RON', rate: '1.2' },
  ],
})

/** The jobs of a portal whose bank says this. */
async function start(exchangeRates: ExchangeRates): Promise<void> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const outside = { ...testPostOffice(pool), vault: testVault, clock: systemClock, log, exchangeRates }
  const { connection } = portal
  runner = await startJobs({ ...outside, connection, engines: only(new TestEngine()) })
}

const soon = { timeout: 20_000, interval: 50 }
const usd = async (on: string) => (await fxRate(db, 'USD', 'RON', on))?.rate
const alerts = async () =>
  db
    .selectFrom('staff_alerts')
    .select(['kind', 'about', 'detail'])
    .where('resolved_at', 'is', null)
    .orderBy('id')
    .execute()
const fetched = (...days: PublishedRates[]) =>
  fetchRates({ pool, exchangeRates: async () => days }, (sentence) => logged.push(sentence))
const ageOf = async (currency = 'USD') =>
  new RegExp(`^portico_exchange_rate_age_seconds\\{currency="${currency}"\\} (\\S+)$`, 'm').exec(
    (await app.inject(scrape)).body,
  )?.[1]

test('on a new installation the first minute of a banking day takes a payment after a failed fetch', async () => {
  await businessTime(pool, '2026-11-20T12:22:00Z')
  const ana = await makePayer(portal)
  await addCard(portal, ana)
  const asked: string[] = []
  let failures = 1
  await start(async (quote) => {
    asked.push(quote)
    if (failures-- > 0) throw new Error('The bank is away.')
    // The rate of the day itself was published before, and does not count on it.
    return [day('2026-11-19', '4.3952'), day('2026-11-20', '4.4012')]
  })
  await operator()
  await vi.waitFor(async () => expect(await usd('2026-11-20')).toBe('4.395200'), soon)
  expect(asked).toEqual(['RON', 'RON'])
  expect((await pay(portal.as(ana), { net: 50 })).status).toBe(201)
  const { rows } = await sql`select fx_rate, fx_date, fx_source from invoices where kind = 'fiscal'`.execute(
    db,
  )
  expect(rows).toEqual([{ fx_rate: '4.395200', fx_date: '2026-11-19', fx_source: 'bnr' }])
})

test('a start requests the rates of an operator that is there already', async () => {
  await businessTime(pool, '2026-11-20T12:22:00Z')
  await operator('EUR')
  await sql`select graphile_worker.remove_job('fx.fetch')`.execute(db)
  const asked: string[] = []
  await requestRates(db)
  await start(async (quote) => {
    asked.push(quote)
    return []
  })
  await vi.waitFor(() => expect(asked).toEqual(['EUR']), soon)
})

test('without a rate the quote is refused, staff is alerted once, and the metrics show it', async () => {
  await businessTime(pool, '2026-11-20T12:22:00Z')
  const ana = await makePayer(portal)
  await operator()
  const quote = async () =>
    portal.as(ana).get(`${base}/transactions/-actions/quote?payload[purpose]=deposit&payload[amount]=5`)
  expect(JSON.parse((await quote()).text).errors).toMatchObject([
    { status: '503', code: 'documents_need_exchange_rate' },
  ])
  expect(await ageOf()).toBe('+Inf')
  const bank = fetchRates({ pool, exchangeRates: () => Promise.reject(new Error('away')) }, (sentence) =>
    logged.push(sentence),
  )
  await expect(bank).rejects.toThrow('away')
  await watchRates(db, (sentence) => logged.push(sentence))
  expect(await alerts()).toEqual([
    { kind: 'exchange_rate_missing', about: 'USD RON', detail: { newest: null, counts: false } },
  ])
  expect(logged).toEqual([
    'The newest exchange rate from USD to RON is missing: no document can be issued in it.',
  ])
  await fetched(day('2026-11-19', '4.3952'))
  const { rows: noted } =
    await sql`select origin, reason from staff_actions order by id desc limit 1`.execute(db)
  expect(noted).toEqual([{ origin: 'portal', reason: 'published exchange rates' }])
  expect(await alerts()).toEqual([])
  expect((await quote()).status).toBe(200)
  expect(Number(await ageOf())).toBeGreaterThanOrEqual(36 * 3600)
  expect(Number(await ageOf())).toBeLessThan(37 * 3600)
})

test('the metrics show no age of a currency that no account and no plan uses', async () => {
  await operator()
  await sql`insert into price_lists (code, currency, is_default) values ('euro', 'EUR', true)`.execute(db)
  const { rows } = await sql`select used from fx_needs where base = 'EUR'`.execute(db)
  expect(rows).toEqual([{ used: false }])
  expect(await ageOf('EUR')).toBeUndefined()
  await sql`delete from price_lists where code = 'euro'`.execute(db)
})

test('staff is alerted before an old rate no longer counts', async () => {
  await businessTime(pool, '2026-11-24T12:00:00Z')
  await operator()
  await fetched(day('2026-11-19', '4.3952'))
  expect(await alerts()).toEqual([])
  await businessTime(pool, '2026-11-25T12:00:00Z')
  await fetched(day('2026-11-19', '4.3952'))
  expect(await alerts()).toMatchObject([{ detail: { newest: '2026-11-19', counts: true } }])
})

test('without open series no payment is priced', async () => {
  await businessTime(pool, '2026-11-20T12:22:00Z')
  const ana = await makePayer(portal)
  await operator()
  await fetched(day('2026-11-19', '4.3952'))
  const quote = async () =>
    (
      await portal
        .as(ana)
        .get(`${base}/transactions/-actions/quote?payload[purpose]=deposit&payload[amount]=5`)
    ).status
  expect(await quote()).toBe(200)
  await sql`update invoice_series set active = false where kind = 'fiscal'`.execute(db)
  expect(await quote()).toBe(503)
  await sql`update invoice_series set active = true where kind = 'fiscal'`.execute(db)
})

test('a published rate applies from the next day for ten days, as it was first published', async () => {
  await businessTime(pool, '2026-11-20T12:22:00Z')
  await operator()
  await fetched(day('2026-11-19', '4.3952'), day('2026-11-25', '4.5'))
  await fetched(day('2026-11-19', '4.5'))
  expect([await usd('2026-11-20'), await usd('2026-11-29')]).toEqual(['4.395200', '4.395200'])
  await expect(usd('2026-11-19')).rejects.toMatchObject({ code: 'documents_need_exchange_rate' })
  await expect(usd('2026-11-30')).rejects.toMatchObject({ code: 'documents_need_exchange_rate' })
  expect(await fxRate(db, 'RON', 'RON', '2026-11-20')).toBeNull()
  const kept = await db.selectFrom('fx_rates').select(['base', 'published_on']).execute()
  expect(kept).toEqual([{ base: 'USD', published_on: '2026-11-19' }])
})

test('a rate that jumps alerts staff once, until a usual one follows', async () => {
  await businessTime(pool, '2026-11-20T20:00:00Z')
  await operator()
  const before = day('2026-11-18', '4.3952')
  const jump = day('2026-11-19', '5.28')
  await fetched(before, jump)
  await fetched(before, jump)
  expect(await usd('2026-11-20')).toBe('4.395200')
  const about = { kind: 'exchange_rate_unusual', about: 'USD RON' }
  const detail = { day: '2026-11-19', rate: '5.28', before: '4.395200', source: 'bnr' }
  expect(await alerts()).toEqual([{ ...about, detail }])
  await fetched(before, jump, day('2026-11-20', '4.4'))
  expect([await alerts(), await usd('2026-11-21')]).toEqual([[], '4.400000'])
})

test('without an operator no bank is asked', async () => {
  const exchangeRates = vi.fn(async () => [day('2026-11-19', '4.3952')])
  await fetchRates({ pool, exchangeRates }, () => undefined)
  expect(exchangeRates).not.toHaveBeenCalled()
})
