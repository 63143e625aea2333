import type { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { planFee } from '#money/pricing/plan-fee.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { offeredPlan } from '#workspaces/adding/offered-plan.ts'

type Forecast = typeof billingProfiles.actions.forecast
type Answer = z.output<Forecast['output']>
type Found = {
  daily_use: string
  available: string
  exhaustion_date: string | null
  policy_timeline: Answer['policy_timeline']
}

/** The assumptions of a forecast, as exact decimals: paid now, used in addition each day, and used at once. */
export type Supposed = { readonly pay?: string; readonly daily?: string; readonly atOnce?: string }

/**
 * Forecasts how long the balance of an account lasts and when dunning steps follow, by the same functions as the
 * current figures. A payment that covers the debt ends dunning; credit of a trial that waits is given by then.
 */
export async function forecastOf(
  tx: Database,
  id: number,
  { pay = '0', daily = '0', atOnce = '0' }: Supposed = {},
): Promise<Answer> {
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
    cross join lateral (select round(${pay}::numeric, 6) as paid) y
    cross join lateral (
      select y.paid, b.available + b.trial_credit_waiting + y.paid - ${atOnce}::numeric as available,
        b.account_balance + b.credit_balance + b.trial_credit_waiting + y.paid as held,
        b.daily_use + round(${daily}::numeric, 6) as daily_use,
        case when b.account_balance + b.credit_balance + y.paid < 0 then a.negative_since end as negative_since
    ) s
    cross join lateral (
      select exhaustion_date(s.available, s.daily_use, b.as_of, coalesce(array_agg(g.expires_on order by g.expires_on), '{}'),
        coalesce(array_agg(g.remaining order by g.expires_on), '{}')) as exhaustion_date
      from (
        select expires_on, remaining from ending_credit(b.id)
        union all select (c.trial_ends_at at time zone 'utc')::date + 1, b.trial_credit_waiting where b.trial_credit_waiting > 0
      ) g
    ) x
    where b.id = ${id}`.execute(tx)
  const [found] = rows
  if (!found) throw new Error(`The account ${id} has no balance.`)
  return { ...found, daily_use: Number(found.daily_use), available: Number(found.available) }
}

/** The fees of one more panel of a plan. Throws `plan_not_offered`. */
async function ofPlan(tx: Database, client: number, code: string) {
  const source = { parameter: 'payload.plan' }
  const plan = await offeredPlan(tx, code, source)
  const { currency } = await tx
    .selectFrom('billing_profiles')
    .select('currency')
    .where('id', '=', client)
    .$narrowType<{ currency: string }>()
    .executeTakeFirstOrThrow()
  const fee = await planFee(tx, { client, currency, plan: plan.id })
  if (!fee) throw refuse('plan_not_offered', {}, { source })
  return { daily: fee.daily, atOnce: fee.first_hour }
}

/** Forecasts a payment, additional use, and one more panel of a plan. */
export async function forecast(
  { tx }: Pick<Context, 'tx'>,
  id: number,
  { pay = 0, extra_daily = 0, plan }: z.output<Forecast['input']>,
): Promise<Answer> {
  const { daily, atOnce } = plan === undefined ? { daily: '0', atOnce: '0' } : await ofPlan(tx, id, plan)
  return forecastOf(tx, id, { pay: String(pay), daily: new Big(extra_daily).plus(daily).toFixed(), atOnce })
}
