import Big from 'big.js'
import { sql } from 'kysely'
import { resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { saidDay } from '#platform/errors/said-day.ts'
import type { PublishedRate } from './exchange-rates.ts'
import { isUnusual, publishedSources, rateBefore, watchRates } from './fx-rates.ts'

/** A manually entered rate and its source. */
export type EnteredRate = PublishedRate & { readonly publishedOn: string; readonly source: string }

type Known = { readonly publishedOn: string; readonly rate: string; readonly source: string }

/** The effect of a manually entered rate. */
type Preview = {
  readonly quote: string
  /** The rates around its day, oldest first. */
  readonly known: readonly Known[]
  /** The change from the previous rate in percent, when it is unusual. */
  readonly change: string | undefined
  readonly replaces: boolean
}

/** Whether an issued document uses the rate of that day; then it is immutable. */
async function isStated(db: Database, { base, quote, publishedOn }: Omit<EnteredRate, 'rate' | 'source'>) {
  const { rows } = await sql<{ stated: boolean }>`select exists (select from invoices
    where currency = ${base} and local_currency = ${quote} and fx_date = ${publishedOn}::date) as stated`.execute(
    db,
  )
  return rows[0]?.stated ?? false
}

/** Throws `exchange_source_published`: a rate that a person enters does not pass for a fetched one. */
export function assertOwnSource(source: string): void {
  if (publishedSources.includes(source.toLowerCase()))
    throw refuse('exchange_source_published', { source }, { source: { pointer: '/data/source' } })
}

async function quoteFor(db: Database, { base, publishedOn, source }: Omit<EnteredRate, 'quote' | 'rate'>) {
  assertOwnSource(source)
  const { rows } = await sql<{ quote: string; known: boolean; future: boolean }>`
    select base_currency::text as quote, exists (select from currencies where code = ${base}) as known,
      ${publishedOn}::date > clock_today() as future from operator_profile`.execute(db)
  const [found] = rows
  if (!found) throw refuse('documents_need_operator')
  if (!found.known) throw refuse('exchange_currency_unknown', { currency: base })
  if (found.quote === base) throw refuse('exchange_currency_own', { currency: base })
  if (found.future) throw refuse('exchange_day_ahead', { day: saidDay(publishedOn) })
  return found.quote
}

/** Previews the effect of a rate. Throws `exchange_…`, and `documents_need_operator` without an operator. */
export async function previewRate(db: Database, entered: Omit<EnteredRate, 'quote'>): Promise<Preview> {
  const { base, publishedOn, rate } = entered
  const quote = await quoteFor(db, entered)
  if (await isStated(db, { ...entered, quote }))
    throw refuse('exchange_rate_stated', { day: saidDay(publishedOn) })
  const { rows: known } = await sql<Known>`
    select published_on as "publishedOn", trim_scale(rate)::text as rate, source from fx_rates
    where base = ${base} and quote = ${quote} and published_on between ${publishedOn}::date - 10 and ${publishedOn}::date + 10
    order by published_on`.execute(db)
  const same = known.find((one) => one.publishedOn === publishedOn)
  if (same && publishedSources.includes(same.source))
    throw refuse('exchange_rate_published', {
      day: saidDay(publishedOn),
      source: same.source,
      rate: same.rate,
    })
  const before = await rateBefore(db, { base, quote, publishedOn })
  const change =
    before !== undefined && isUnusual(rate, before)
      ? new Big(rate).minus(before).div(before).times(100).toFixed(1)
      : undefined
  return { quote, known, change, replaces: same !== undefined }
}

/** Stores a manually entered rate; it confirms one that awaits staff. Throws like `previewRate`. */
export async function enterRate(tx: Database, entered: EnteredRate): Promise<void> {
  const { base, quote, publishedOn, rate, source } = entered
  await previewRate(tx, entered)
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    values (${base}, ${quote}, ${publishedOn}::date, ${rate}::numeric, ${source})
    on conflict (base, quote, published_on) do update set rate = excluded.rate, source = excluded.source,
      fetched_at = now()`.execute(tx)
  await resolveAlert(tx, `${base} ${quote}`, 'exchange_rate_unusual')
  await watchRates(tx, () => undefined)
}
