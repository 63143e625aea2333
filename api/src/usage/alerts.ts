import { sql } from 'kysely'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

type Unpriced = {
  readonly meter: string
  readonly list: string
  readonly currency: string
  readonly day: string
}

// This many unpriced rows per meter are enough to report a missing price; prices that are missing further on
// are reported next.
const enoughOfMeter = 1000

/** Missing prices: a meter, the price list that lacks it, and the last UTC day with usage. */
async function missingPrices(db: Database): Promise<Unpriced[]> {
  const { rows } = await sql<Unpriced>`
    select m.code as meter, coalesce(l.code, 'no list in ' || u.currency) as list, u.currency, max(d.usage_on)::text as day
    from meters m
    cross join lateral (
      select * from usage_meter_days d where d.meter_id = m.id and d.unpriced order by d.usage_on desc limit ${enoughOfMeter}
    ) d
    join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
    left join lateral (
      select l.code from price_lists l
      left join client_price_lists c
        on c.price_list_id = l.id and c.client_id = u.client_id and c.valid @> d.usage_on
      where l.currency = u.currency and (l.is_default or c.client_id is not null)
      order by c.client_id is null limit 1
    ) l on true
    group by 1, 2, 3 order by 1, 2`.execute(db)
  return rows
}

/** Alerts staff about each missing price, and passes a sentence for each new alert to `tell`. */
export async function alertUnpriced(db: Database, tell: (sentence: string) => void): Promise<void> {
  for (const missing of await missingPrices(db)) {
    const { meter, list, currency, day } = missing
    if (await alertStaff(db, `${meter}, ${list}`, 'usage_unpriced', missing))
      tell(`${meter} has no price in ${currency} on ${day} (${list}): usage is free until it has one.`)
  }
}
