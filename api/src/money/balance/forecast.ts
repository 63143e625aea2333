import type { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'

type Forecast = typeof billingProfiles.actions.forecast
type Found = {
  daily_use: string
  available: string
  exhaustion_date: string | null
  policy_timeline: z.output<Forecast['output']>['policy_timeline']
}

/**
 * Forecasts how long the balance of an account lasts and when dunning steps follow, if `pay` is paid now and
 * `extra_daily` is used in addition each day, by the same functions as the current figures. A payment that
 * covers the debt ends dunning.
 */
export async function forecast(
  { tx }: Pick<Context, 'tx'>,
  id: number,
  { pay = 0, extra_daily = 0 }: z.output<Forecast['input']>,
): Promise<z.output<Forecast['output']>> {
  const { rows } = await sql<Found>`
    select s.daily_use, s.available, x.exhaustion_date,
      dunning_timeline(p, b.as_of, s.held, s.available, s.daily_use, s.negative_since, x.exhaustion_date,
        c.dunning_hold_until, case when s.held < 0 then c.suspended_on end,
        case when c.trial_ended_on is null and s.paid = 0 then (c.trial_ends_at at time zone 'utc')::date end
      ) as policy_timeline
    from billing_profiles b
    join clients c on c.id = b.id
    join account_balances a on a.client_id = b.id
    cross join lateral policies_in(c.currency_id) p
    cross join lateral (select round(${String(pay)}::numeric, 6) as paid) y
    cross join lateral (
      select y.paid, b.available + y.paid as available, b.account_balance + b.credit_balance + y.paid as held,
        b.daily_use + round(${String(extra_daily)}::numeric, 6) as daily_use,
        case when b.account_balance + b.credit_balance + y.paid < 0 then a.negative_since end as negative_since
    ) s
    cross join lateral (
      select exhaustion_date(s.available, s.daily_use, b.as_of, coalesce(array_agg(g.expires_on), '{}'),
        coalesce(array_agg(g.remaining), '{}')) as exhaustion_date
      from ending_credit(b.id) g
    ) x
    where b.id = ${id}`.execute(tx)
  const [found] = rows
  if (!found) throw new Error(`The account ${id} has no balance.`)
  return { ...found, daily_use: Number(found.daily_use), available: Number(found.available) }
}
