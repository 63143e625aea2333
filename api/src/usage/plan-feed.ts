import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

const panelsAtOnce = 2000
// Longer than that of a request: days that were missed are fed at once.
const longestMs = 20_000

/** UTC days, both included. */
type Days = { readonly from: string; readonly to: string }

/** Feeds these days for the next panels with a plan; returns the last of them, undefined when there is none left. */
async function feedNext(tx: Database, { from, to }: Days, after: number) {
  const { rows } = await sql<{ last: number | null; changed: number }>`
    select k.ids[cardinality(k.ids)] as last, plan_feed(k.ids, ${from}::date, ${to}::date, clock_now()) as changed
    from (select array(select distinct h.panel_id from panel_plans h
      where h.panel_id > ${after} and lower(h.during) < utc_start(${to}::date + 1)
        and coalesce(upper(h.during), 'infinity') > utc_start(${from}::date)
      order by h.panel_id limit ${panelsAtOnce}) as ids) k
    where cardinality(k.ids) > 0`.execute(tx)
  return rows[0]?.last ?? undefined
}

/** Feeds days in the transaction of the caller, which they are part of. */
export async function feedDays(tx: Database, days: Days): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) after = await feedNext(tx, days, after)
}

type Due = Days & { readonly through: string; readonly due: boolean }

async function dueOf(db: Database): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    select coalesce((w.through at time zone 'utc')::date, h.first)::text as from, (n.now at time zone 'utc')::date::text as to,
      n.hour::text as through, h.first is not null and n.hour > coalesce(w.through, '-infinity') as due
    from plan_watermark w
    cross join (select clock_now() as now, date_trunc('hour', clock_now(), 'UTC') as hour) n
    cross join (select (min(lower(during)) at time zone 'utc')::date as first from panel_plans) h`.execute(db)
  return rows[0]
}

/**
 * Counts the hours of plans that have begun since the last time, in short transactions, and records until when they are
 * counted. Interrupted, it begins again from there; that changes nothing twice.
 */
export async function feedPlans(db: Database): Promise<void> {
  const due = await dueOf(db)
  if (!due?.due) return
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(tx)
      return feedNext(tx, due, from)
    })
  }
  await sql`update plan_watermark set through = greatest(through, ${due.through}::timestamptz)`.execute(db)
}
