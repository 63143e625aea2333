import Big from 'big.js'
import { sql } from 'kysely'
import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { ExchangeRates, PublishedRate } from './exchange-rates.ts'

/** The store and the source of rates; null: none are fetched. */
export type ExchangeRateParts = { readonly pool: Pool; readonly exchangeRates: ExchangeRates | null }

/** The number of attempts of a failing fetch, with growing pauses that add up to almost an hour. */
export const rateAttempts = 8

/** A rate that changed by more than this share is not used until a person has confirmed it. */
const mostChange = '0.2'

/** Publications are at most some holidays apart; staff are alerted after more days than this. */
const oldAfterDays = 5

const unusual = 'exchange_rate_unusual'
const missing = 'exchange_rate_missing'

/** The sources of rates that no person of this company entered; `recorded` is that of a demo. */
export const publishedSources: readonly string[] = ['bnr', 'ecb', 'recorded']

type Rate = PublishedRate & { readonly publishedOn: string; readonly source: string }

const pair = ({ base, quote }: Pick<Rate, 'base' | 'quote'>): string => `${base} ${quote}`

/** Queues a fetch, unless one is waiting. */
export const requestRates = (db: Database): Promise<void> =>
  enqueue(db, 'fx.fetch', {}, { key: 'fx.fetch', attempts: rateAttempts })

/** The newest rate of a pair, as a query that callers narrow. */
const newestRate = (db: Database, base: string, quote: string) =>
  db
    .selectFrom('fx_rates')
    .select('rate')
    .where('base', '=', base)
    .where('quote', '=', quote)
    .orderBy('published_on', 'desc')
    .limit(1)

/** The last rate published before a day, however long ago; undefined for the first. */
export async function rateBefore(
  db: Database,
  { base, quote, publishedOn }: Pick<Rate, 'base' | 'quote' | 'publishedOn'>,
): Promise<string | undefined> {
  const before = newestRate(db, base, quote).where('published_on', '<', publishedOn)
  return (await before.executeTakeFirst())?.rate
}

/** The newest rate that no person of this company entered, however old; undefined where there is none. */
export async function newestPublished(
  db: Database,
  base: string,
  quote: string,
): Promise<string | undefined> {
  const published = newestRate(db, base, quote).where('source', 'in', publishedSources)
  return (await published.executeTakeFirst())?.rate
}

/** Whether a rate differs too much from the previous one to be used unconfirmed. */
export const isUnusual = (rate: string, before: string | undefined): boolean =>
  before !== undefined && new Big(rate).minus(before).abs().gt(new Big(before).times(mostChange))

/** The published rates that are not stored yet, oldest first, in currencies that accounts can have. */
async function newOnes(db: Database, found: readonly Rate[]): Promise<Rate[]> {
  const { rows } = await sql<Rate>`
    select r.base, r.quote, r."publishedOn", r.rate, r.source
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      r (base text, quote text, "publishedOn" text, rate text, source text)
    where r.base in (select code from currencies) and r."publishedOn"::date <= clock_today() and not exists (
      select from fx_rates f where f.base = r.base and f.quote = r.quote and f.published_on = r."publishedOn"::date)
    order by r."publishedOn", r.base`.execute(db)
  return rows
}

/** Whether a later rate is stored, which makes this one irrelevant. */
async function isSuperseded(db: Database, { base, quote, publishedOn }: Rate): Promise<boolean> {
  const later = await db
    .selectFrom('fx_rates')
    .select('id')
    .where('base', '=', base)
    .where('quote', '=', quote)
    .where('published_on', '>', publishedOn)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** Stores new rates. An unusual one waits for staff, until a later one is stored. */
async function keepRates(db: Database, found: readonly Rate[]): Promise<void> {
  await because(db, 'published exchange rates')
  const refused = new Map<string, { readonly one: Rate; readonly before: string }>()
  for (const one of await newOnes(db, found)) {
    const before = await rateBefore(db, one)
    if (before !== undefined && isUnusual(one.rate, before)) refused.set(pair(one), { one, before })
    else
      await sql`insert into fx_rates (base, quote, published_on, rate, source)
        values (${one.base}, ${one.quote}, ${one.publishedOn}::date, ${one.rate}::numeric, ${one.source})
        on conflict (base, quote, published_on) do nothing`.execute(db)
  }
  const goingOn: string[] = []
  for (const [about, { one, before }] of refused) {
    if (await isSuperseded(db, one)) continue
    goingOn.push(about)
    const { publishedOn: day, rate, source } = one
    await alertStaff(db, about, unusual, { day, rate, before, source })
  }
  await resolveOthers(db, unusual, goingOn)
}

type Need = {
  readonly base: string
  readonly quote: string
  readonly newest: string | null
  readonly counts: boolean
}

const stateOf = ({ base, quote, newest, counts }: Need): string => {
  const known = newest === null ? 'is missing' : `is of ${newest}`
  const follows = counts ? 'soon no document can be issued in it' : 'no document can be issued in it'
  return `The newest exchange rate from ${base} to ${quote} ${known}: ${follows}.`
}

/**
 * Alerts staff about each used currency without a rate for today, or with only old ones, and resolves the alert
 * once there is one.
 */
export async function watchRates(db: Database, report: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<Need>`
    select base, quote, newest, counts from fx_needs
    where used and (not counts or newest < operator_today() - ${oldAfterDays}::int) order by base`.execute(db)
  for (const need of rows) {
    const { newest, counts } = need
    if (await alertStaff(db, pair(need), missing, { newest, counts })) report(stateOf(need))
  }
  await resolveOthers(db, missing, rows.map(pair))
}

/**
 * Fetches the rates that the operator's documents need and stores new ones. Without an operator none are
 * needed.
 */
export async function fetchRates(
  { pool, exchangeRates }: ExchangeRateParts,
  report: (sentence: string) => void,
): Promise<void> {
  const db = pool.kysely
  const operator = await db.selectFrom('operator_profile').select('base_currency').executeTakeFirst()
  if (exchangeRates === null || !operator) return
  await exchangeRates(operator.base_currency)
    .then((days) => {
      const found = days.flatMap(({ rates, publishedOn, source }) =>
        rates.map((rate) => ({ ...rate, publishedOn, source })),
      )
      return db.transaction().execute((tx) => keepRates(tx, found))
    })
    .finally(() => watchRates(db, report))
}
