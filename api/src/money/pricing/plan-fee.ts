import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** SQL: the days of the month that is charged now, `m.days` for `dailyPart` and `hourlyPart`. */
export const daysOfMonth = sql`(select days_of_month(clock_today()) as days) m`

/** SQL: the current UTC hour as `plan_fee` takes it: the bit of that hour among those of a day. */
export const thisHour = sql`1 << extract(hour from clock_now() at time zone 'utc')::int`

/** SQL: what a day of a monthly fee costs in a month `m`. */
export const dailyPart = (monthly: string) => sql`round(${sql.ref(monthly)} / m.days, 6)`

/** SQL: what an hour of a monthly fee costs in a month `m`. */
export const hourlyPart = (monthly: string) => sql`round(${sql.ref(monthly)} / m.days / 24, 6)`

type PlanFee = {
  readonly monthly: string
  readonly daily: string
  readonly hourly: string
  readonly rest_of_month: string
  /** The hour that has begun, which is owed as soon as the panel runs. */
  readonly first_hour: string
}

/** The price of a new panel of a plan; undefined if the plan has no price in the currency. */
export async function planFee(
  tx: Database,
  { client, currency, plan }: { readonly client: number; readonly currency: string; readonly plan: number },
): Promise<PlanFee | undefined> {
  const { rows } = await sql<PlanFee>`
    select f.monthly, ${dailyPart('f.monthly')} as daily, ${hourlyPart('f.monthly')} as hourly,
      plan_rest(${client}, ${currency}, ${plan}, clock_now()) as rest_of_month,
      plan_fee(f.monthly, clock_today(), ${thisHour}) as first_hour
    from plan_price(${client}, ${currency}, ${plan}, clock_today()) f
    cross join ${daysOfMonth}`.execute(tx)
  return rows[0]
}
