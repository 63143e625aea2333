import { sql } from 'kysely'
import type { PublishedRates } from '../adapters/exchange-rates.ts'
import type { Pool } from '../db/pool.ts'

/** Where rates come from. */
export type RateDesk = { readonly pool: Pool; readonly exchangeRates: (() => Promise<PublishedRates>) | null }

/** Takes what was published into the rates, once; without a source there is nothing to take. */
export async function fetchRates({ pool, exchangeRates }: RateDesk): Promise<void> {
  if (exchangeRates === null) return
  const { publishedOn, source, rates } = await exchangeRates()
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    select r.base, r.quote, ${publishedOn}::date, r.rate, ${source}
    from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) r (base text, quote text, rate numeric)
    where r.base in (select code from currencies)
    on conflict (base, quote, published_on) do nothing`.execute(pool.kysely)
}
