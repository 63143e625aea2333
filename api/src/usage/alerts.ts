import { sql } from 'kysely'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

type Unpriced = {
  readonly meter: string
  readonly list: string
  readonly currency: string
  readonly day: string
}

// However much waits for a price, this many of a meter say where one is missing; what is behind them is told after them.
const enoughOfMeter = 1000

/** Where a price is missing: a meter, the list that ought to have it, and the last UTC day on which it was wanted. */
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

/** Leaves each missing price to staff as an alert, and tells a sentence for each that is told now. */
export async function alertUnpriced(db: Database, tell: (sentence: string) => void): Promise<void> {
  for (const missing of await missingPrices(db)) {
    const { meter, list, currency, day } = missing
    if (await alertStaff(db, `${meter}, ${list}`, 'usage_unpriced', missing))
      tell(
        `${meter} has no price in ${currency} on ${day} (${list}): what is used costs nothing until it has.`,
      )
  }
}
