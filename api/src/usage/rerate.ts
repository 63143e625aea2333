import { type RawBuilder, sql } from 'kysely'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'
import { feedDays } from './plan-feed.ts'

/** The scope of a re-rating: UTC days, both included, and a price list by its code to restrict it. */
export type Rerating = { readonly from: string; readonly to: string; readonly list?: string | undefined }

/** The effect of a re-rating on an account: the number of changed sums, and their cost before and after. */
export type Rerated = {
  readonly client_id: number
  readonly currency: string
  readonly sums: number
  /** Decimals with six places. */
  readonly was: string
  readonly becomes: string
}

// Three months of a large fleet take long, and only the operator's command waits.
const longestMs = 600_000

/** Sums whose cost differs under current prices. Those of meters that are not rated yet wait for that anyway. */
const changed = ({ from, to, list = '' }: Rerating): RawBuilder<unknown> => sql`
  select (x.claimed).usage_on, (x.claimed).panel_id, (x.claimed).resource_ref, (x.claimed).meter_id, x.client_id, x.currency,
    l.amount as was, x.amount as becomes
  from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') day
  cross join lateral (select array(select d from usage_meter_days d where d.usage_on = day::date) as sums) s
  cross join lateral usage_costs(s.sums) x
  left join usage_lines l on l.usage_id = x.usage_id and l.meter_id = x.meter_id
  where l.amount is distinct from x.amount and (not (x.claimed).dirty or (x.claimed).slots is not null)
    and (${list} = '' or exists (
      select from price_lists b where b.code = ${list} and (
        exists (select from prices a where a.id in (l.price_id, x.price_id) and a.price_list_id = b.id)
        or exists (select from plan_prices a where a.id in (l.plan_price_id, x.plan_price_id) and a.price_list_id = b.id))))`

async function longRunning(tx: Database): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(tx)
  // Planned for these days, which may have few rows or very many.
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

/** Whether a price list with this code exists. */
export async function isPriceList(db: Database, code: string): Promise<boolean> {
  const found = await db.selectFrom('price_lists').select('id').where('code', '=', code).executeTakeFirst()
  return found !== undefined
}

/** The effect of re-rating these days, by account, in a transaction that the caller rolls back. */
export async function rerated(tx: Database, asked: Rerating): Promise<Rerated[]> {
  // Which of two plans has an hour follows from their prices.
  await feedDays(tx, asked)
  const { rows } =
    await sql<Rerated>`select client_id, currency, count(*)::int as sums, coalesce(sum(was), 0)::numeric(20, 6) as was,
      coalesce(sum(becomes), 0)::numeric(20, 6) as becomes
    from (${changed(asked)}) c group by client_id, currency order by client_id`.execute(tx)
  return rows
}

/** Runs work that is rolled back, with time for months of a large fleet; within a transaction, which goes on as it was before. */
export async function withoutEffect<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((tx) => withoutEffect(tx, work))
  await sql`savepoint without_effect`.execute(db)
  try {
    await longRunning(db)
    return await work(db)
  } finally {
    await sql`rollback to savepoint without_effect`.execute(db)
  }
}

/** The effect of re-rating these days, by account, without changing anything. */
export const previewRerating = (db: Database, asked: Rerating): Promise<Rerated[]> =>
  withoutEffect(db, (tx) => rerated(tx, asked))

/**
 * Marks sums whose cost differs under current prices for rating, and returns their number. Rating them adds a
 * note to each with another price, and a posting of the difference to what was already charged.
 */
export const markForRerating = (db: Database, asked: Rerating): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await longRunning(tx)
    await feedDays(tx, asked)
    // The lock of everything that marks for rating, so that no mark is missed.
    await sql`select pg_advisory_xact_lock(${advisoryLocks.usageRating})`.execute(tx)
    const { numAffectedRows } =
      await sql`update usage_meter_days d set dirty = true from (${changed(asked)}) c
      where (d.usage_on, d.panel_id, d.resource_ref, d.meter_id) = (c.usage_on, c.panel_id, c.resource_ref, c.meter_id)`.execute(
        tx,
      )
    return Number(numAffectedRows ?? 0)
  })
