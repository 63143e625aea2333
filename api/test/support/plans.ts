import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** Plans at a price a month in the standard list, from long ago, under codes of their own. */
export async function makePlans(
  db: Database,
  prices: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; id: number }>`with made as (
      insert into plans (code, name_en, name_ro, kind)
      select code, initcap(code), initcap(code) || ' Plus', 'web_hosting' from jsonb_object_keys(${JSON.stringify(prices)}::jsonb) code
      returning id, code
    ), priced as (
      insert into plan_prices (price_list_id, plan_id, valid, monthly)
      select l.id, made.id, '[2020-01-01,)', (${JSON.stringify(prices)}::jsonb ->> made.code)::numeric
      from made, price_lists l where l.code = 'standard'
    )
    select code, id from made`.execute(db)
  return Object.fromEntries(rows.map(({ code, id }) => [code, id]))
}

/** Does something to a panel at a moment of the business clock. */
export const at = (
  db: Database,
  moment: string,
  work: (tx: Database) => Promise<unknown>,
): Promise<unknown> =>
  db.transaction().execute(async (tx) => {
    await sql`update clock set ahead = ${moment}::timestamptz - now()`.execute(tx)
    return work(tx)
  })

/** What a panel's plans were: their code, from when until when, and whether that is charged. */
export async function historyOf(db: Database, panel: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', p.code, to_char(lower(h.during) at time zone 'utc', 'DD.HH24:MI:SS'),
      to_char(upper(h.during) at time zone 'utc', 'DD.HH24:MI:SS'), case when not h.charged then 'free' end) as line
    from panel_plans h join plans p on p.id = h.plan_id where h.panel_id = ${panel} order by lower(h.during)`.execute(
    db,
  )
  return rows.map(({ line }) => line)
}

/** What a panel's days cost: the day, the resource, the meter, how much of it and the amount. */
export async function costsOf(db: Database, panel: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', to_char(u.usage_on, 'DD'), u.resource_ref, m.code, trim_scale(l.quantity), l.amount) as line
    from usage_lines l join usages u on u.id = l.usage_id join meters m on m.id = l.meter_id
    where u.panel_id = ${panel} order by 1`.execute(db)
  return rows.map(({ line }) => line)
}
