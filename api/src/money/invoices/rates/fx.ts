import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { saidDay } from '#platform/errors/said-day.ts'

/**
 * The price of one unit of the document's currency in the operator's, its day of publication, and its source.
 */
export type FxRate = { readonly rate: string; readonly publishedOn: string; readonly source: string }

/**
 * The rate for a day: the last one published before it (Cod fiscal, art. 290(2)); null within one currency.
 * Throws `documents_need_exchange_rate` when there is none, or only an old one. A recorded rate, of a demo,
 * does not age.
 */
export async function fxRate(tx: Database, base: string, quote: string, on: string): Promise<FxRate | null> {
  if (base === quote) return null
  const { rows } = await sql<FxRate>`
    select rate::text as rate, published_on as "publishedOn", source from fx_rate(${base}, ${quote}, ${on}::date)`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw refuse('documents_need_exchange_rate', { base, quote, on: saidDay(on) })
  return found
}
