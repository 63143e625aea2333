import { type RawBuilder, sql } from 'kysely'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'

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

/** Sums whose cost differs under current prices. */
const changed = ({ from, to, list = '' }: Rerating): RawBuilder<unknown> => sql`
  select d.usage_on, d.panel_id, d.resource_ref, d.meter_id, u.client_id, u.currency, l.amount as was, x.amount as becomes
  from usage_meter_days d
  join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
  join usage_lines l on l.usage_id = u.id and l.meter_id = d.meter_id
  left join lateral usage_price(u.client_id, u.currency, d.meter_id, split_part(d.resource_ref, '/', 1), d.usage_on) p on true
  cross join lateral (select usage_amount(l.quantity, p.included_per_day, p.unit_price, p.tiers) as amount) x
  where d.usage_on between ${from}::date and ${to}::date and l.amount is distinct from x.amount and (${list} = '' or exists (
    select from prices a join price_lists b on b.id = a.price_list_id
    where a.id in (l.price_id, p.id) and b.code = ${list}))`

const atLength = <T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(tx)
    // Planned for these days, which may have few rows or very many.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
    return work(tx)
  })

/** Whether a price list with this code exists. */
export async function isPriceList(db: Database, code: string): Promise<boolean> {
  const found = await db.selectFrom('price_lists').select('id').where('code', '=', code).executeTakeFirst()
  return found !== undefined
}

/** The effect of re-rating these days, by account, without changing anything. */
export const previewRerating = (db: Database, asked: Rerating): Promise<Rerated[]> =>
  atLength(db, async (tx) => {
    const { rows } =
      await sql<Rerated>`select client_id, currency, count(*)::int as sums, coalesce(sum(was), 0)::numeric(20, 6) as was,
        coalesce(sum(becomes), 0)::numeric(20, 6) as becomes
      from (${changed(asked)}) c group by client_id, currency order by client_id`.execute(tx)
    return rows
  })

/**
 * Marks sums whose cost differs under current prices for rating, and returns their number. Rating them adds a
 * note to each with another price, and a posting of the difference to what was already charged.
 */
export const markForRerating = (db: Database, asked: Rerating): Promise<number> =>
  atLength(db, async (tx) => {
    // The lock of everything that marks for rating, so that no mark is missed.
    await sql`select pg_advisory_xact_lock(${advisoryLocks.usageRating})`.execute(tx)
    const { numAffectedRows } =
      await sql`update usage_meter_days d set dirty = true from (${changed(asked)}) c
      where (d.usage_on, d.panel_id, d.resource_ref, d.meter_id) = (c.usage_on, c.panel_id, c.resource_ref, c.meter_id)`.execute(
        tx,
      )
    return Number(numAffectedRows ?? 0)
  })
