import { sql } from 'kysely'
import { priceView } from '#workspaces/plans/price-view.ts'
import type { PlanFigures } from '#workspaces/plans/quote-change.ts'
import { dailyPart, daysOfMonth, hourlyPart, thisHour } from './plan-fee.ts'
import { runway, vatForClient } from './quote-plan.ts'

type Row = {
  monthly_before: string
  monthly: string
  daily_before: string
  daily: string
  hourly_before: string
  hourly: string
  rest_before: string
  rest: string
  more: string
  first_hour: string
}

/** The fees before and after, how much more a day costs, and how much more the hour that has begun. */
const figuresSql = (of: {
  client: number
  currency: string
  panel: number
  plan: number
  old: number | null
}) => sql<Row>`
  select b.monthly as monthly_before, f.monthly, ${dailyPart('b.monthly')} as daily_before,
    ${dailyPart('f.monthly')} as daily, ${hourlyPart('b.monthly')} as hourly_before,
    ${hourlyPart('f.monthly')} as hourly,
    coalesce(plan_quote(${of.panel}, ${of.old}::int8, clock_now()), 0) as rest_before,
    plan_quote(${of.panel}, ${of.plan}, clock_now()) as rest,
    plan_more(${of.panel}, ${of.plan}) as more,
    greatest(plan_fee(f.monthly, clock_today(), t.hour) - plan_fee(b.monthly, clock_today(), t.hour), 0) as first_hour
  from plan_price(${of.client}, ${of.currency}, ${of.plan}, clock_today()) f
  cross join (select coalesce((select x.monthly from plan_price(${of.client}, ${of.currency}, ${of.old}::int8, clock_today()) x), 0)
    as monthly) b
  cross join ${daysOfMonth}
  cross join (select ${thisHour} as hour) t`

const both = (before: string, after: string) => ({ before: Number(before), after: Number(after) })

/** The prices of a change of plan as far as the actor may know them, with VAT and the date until which the balance lasts. */
export const planFigures: PlanFigures = async (context, { panel, plan }) => {
  const { tx } = context
  const { client, currency = '', shown } = await priceView(context, panel.client_id)
  const nothing = { monthly: null, daily: null, hourly: null, rest_of_month: null }
  const unknown = { vat: null, daily_use: null, exhaustion_date: null }
  if (!shown) return { currency, ...nothing, ...unknown }
  const of = { client: panel.client_id, currency, panel: panel.id, plan, old: panel.plan_id }
  const { rows } = await figuresSql(of).execute(tx)
  const [row] = rows
  if (!row) return { currency, ...nothing, ...unknown }
  const fees = {
    monthly: both(row.monthly_before, row.monthly),
    daily: both(row.daily_before, row.daily),
    hourly: both(row.hourly_before, row.hourly),
    rest_of_month: both(row.rest_before, row.rest),
  }
  if (client === 0) return { currency, ...fees, ...unknown }
  return {
    currency,
    ...fees,
    vat: await vatForClient(tx, client, { net: row.monthly, currency }),
    ...(await runway(tx, client, { daily: row.more, atOnce: row.first_hour })),
  }
}
