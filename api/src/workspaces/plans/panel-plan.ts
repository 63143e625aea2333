import type { panels } from '@portico/contract/resources/panels.ts'
import { type Expression, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { knownPrice } from './known-price.ts'
import { heldByPanel, ownersLimits } from './plan-wish.ts'
import { asksPrices, readsBilling } from './price-view.ts'

type PanelPlan = typeof panels.actions.plan
type Answer = z.input<PanelPlan['output']>
type Limit = NonNullable<Answer['plan']>['limits'][number]
type Panel = RowOf<'panels'>

/** SQL: the traffic of a panel in this UTC month until now, in GB. */
export const trafficThisMonth = (panel: Expression<unknown>) => sql`(
  select coalesce(sum(d.quantity), 0)
  from generate_series(date_trunc('month', clock_today()::timestamp), clock_today()::timestamp, interval '1 day') x
  join usage_meter_days d on d.usage_on = x::date and d.panel_id = ${panel}
    and d.meter_id = (select id from meters where code = 'traffic_gb'))`

/**
 * The limits of the panel's plan with their use. Guests may see a part of the domains only, so they are given no use of domains and
 * mailboxes; traffic is known to those who read the account's usage.
 */
async function limitsOf({ tx, actor }: Context, panel: Panel): Promise<Limit[]> {
  const owner = actor.id === panel.client_id
  const { rows } = await sql<Limit>`
    with held as (${heldByPanel(panel.id)}), moved as (
      select case when ${readsBilling(actor, panel.client_id)} then ${trafficThisMonth(sql`${panel.id}`)} end as traffic
    )
    select l.what as limit, l.amount::float8 as allowed, (case
        when l.what = 'traffic_gb_month' then round(moved.traffic, 2)
        when ${owner} or l.what <> all(${ownersLimits}) then (to_jsonb(held) ->> l.what)::numeric
      end)::float8 as used
    from plan_limits l, held, moved where l.plan_id = ${panel.plan_id}`.execute(tx)
  return rows
}

/** The plan of a panel: its name, its price a month for those who may know it, and its limits with their use. */
export async function planOfPanel(context: Context, { row }: { readonly row: Panel }): Promise<Answer> {
  const { tx, actor } = context
  const { plan_id: id, client_id: client } = row
  if (id === null) return { plan: null }
  const plan = await tx
    .selectFrom('plans')
    .select(['code', 'name_en', 'name_ro'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const price = asksPrices(actor, client) ? await knownPrice(context, { client, plan: id }) : undefined
  return {
    plan: {
      ...plan,
      price:
        price === undefined || price.monthly === null
          ? null
          : { monthly: Number(price.monthly), currency: price.currency },
      limits: await limitsOf(context, row),
    },
  }
}
