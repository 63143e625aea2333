import Big from 'big.js'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { rerated, withoutEffect } from '#usage/rerate.ts'
import { applyPlans, type Change } from './import-plans.ts'
import type { PlanFile } from './plan-file.ts'

const shownDays = 30

/** The cost of an account's last thirty days, as charged and at the new prices. Decimals with six places. */
export type Effect = {
  readonly client_id: number
  readonly currency: string
  readonly was: string
  readonly becomes: string
}

/** A missing price: the currency, the plan, and the fee or the meter. */
export type Gap = { readonly currency: string; readonly plan: string; readonly what: string }

/** The prices that are missing now. */
export async function gapsOf(tx: Database): Promise<Gap[]> {
  const { rows } = await sql<Gap>`select currency, plan, what from price_gaps(clock_today())`.execute(tx)
  return rows
}

/**
 * Applies the newest prices to the whole period. Older prices end before it, or move to unused days long ago, because a
 * charged price cannot be deleted, not even in a transaction that is rolled back.
 */
async function countEarlier(tx: Database, from: string): Promise<void> {
  for (const [table, about] of [
    ['plan_prices', sql`price_list_id, plan_id`],
    ['prices', sql`price_list_id, plan_id, meter_id, resource_kind`],
  ] as const) {
    const newest = sql`select distinct on (${about}) id from ${sql.table(table)} order by ${about}, valid desc`
    await sql`update ${sql.table(table)} set valid = case when coalesce(lower(valid), '-infinity') < ${from}::date
        then daterange(lower(valid), ${from}::date)
        else daterange('1000-01-01'::date + (id % 300000)::int, '1000-01-02'::date + (id % 300000)::int) end
      where valid && daterange(${from}::date, null) and id not in (${newest})`.execute(tx)
    await sql`update ${sql.table(table)} set valid = daterange(${from}::date, upper(valid))
      where lower(valid) > ${from}::date and id in (${newest})`.execute(tx)
  }
}

type Days = { readonly from: string; readonly to: string }
type Cost = { readonly client_id: number; readonly currency: string; readonly amount: Big }

/** The cost of these days for each account, rated at the current prices. */
async function costs(tx: Database, days: Days): Promise<Cost[]> {
  const changes = new Map((await rerated(tx, days)).map((one) => [one.client_id, one]))
  const { rows } = await sql<{ client_id: number; currency: string; amount: string }>`
    select d.client_id, cur.code as currency, sum(d.rated_amount) as amount from usage_client_days d
    join clients c on c.id = d.client_id join currencies cur on cur.id = c.currency_id
    where d.usage_on between ${days.from}::date and ${days.to}::date group by 1, 2 order by 1`.execute(tx)
  return rows.map(({ client_id, currency, amount }) => {
    const { was = '0', becomes = '0' } = changes.get(client_id) ?? {}
    return { client_id, currency, amount: new Big(amount).minus(was).plus(becomes) }
  })
}

/** The prices that would be missing after an import, and the cost of the last thirty days at its prices. */
export const effectOf = (
  db: Database,
  file: PlanFile,
  changes: readonly Change[],
): Promise<{ gaps: Gap[]; effects: Effect[] }> =>
  withoutEffect(db, async (tx) => {
    const { rows } = await sql<Days>`select (clock_today() - ${shownDays}::int)::text as from,
      (clock_today() - 1)::text as to`.execute(tx)
    const [days] = rows
    if (!days) throw new Error('There is no clock.')
    const before = new Map((await costs(tx, days)).map((one) => [one.client_id, one.amount]))
    await applyPlans(tx, file, changes)
    const gaps = await gapsOf(tx)
    if (gaps.length > 0) return { gaps, effects: [] }
    // Deferred constraints are checked now instead of at the commit.
    await sql`set constraints all immediate`.execute(tx)
    await sql`set constraints all deferred`.execute(tx)
    await countEarlier(tx, days.from)
    const effects = (await costs(tx, days)).flatMap(({ client_id, currency, amount }) => {
      const was = before.get(client_id) ?? amount
      return was.eq(amount) ? [] : [{ client_id, currency, was: was.toFixed(6), becomes: amount.toFixed(6) }]
    })
    return { gaps, effects }
  })
