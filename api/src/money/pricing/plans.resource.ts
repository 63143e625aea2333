import { planLimits, plans } from '@portico/contract/resources/plans.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { panelShared } from '#sharing/reach.ts'

/** Plans that some of these panels `p` have or had. */
const ofPanels = (panels: Expression<SqlBool>) => sql<SqlBool>`plans.id in (select held.plan_id from panels p
  cross join lateral (select p.plan_id union select h.plan_id from panel_plans h where h.panel_id = p.id) held
  where p.deleted_at is null and ${panels})`

const place = { owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }

/** Everyone sees what is offered, and the plans of panels that they see. */
const offeredOrHeld: Rule<'plans'> = {
  ...nobody,
  table: 'plans',
  shared: (actor) => {
    const own = sql<SqlBool>`p.client_id = ${actor.id}`
    const seen = actor.guest ? sql<SqlBool>`(${own} or ${panelShared(place, 'see', actor)})` : own
    return sql<SqlBool>`(plans.state = 'offered' or ${ofPanels(seen)})`
  },
  guestsOnly: false,
  staff: () => sql<SqlBool>`true`,
}

const limits = sql`(select jsonb_object_agg(w.what, l.amount)
  from unnest(${sql.val([...planLimits])}::text[]) w (what)
  left join plan_limits l on l.plan_id = plans.id and l.what = w.what)`

export default serve(plans, {
  table: 'plans',
  policy: { read: offeredOrHeld },
  keys: {
    group: 'panels',
    alsoReadBy: ['usage', 'billing'],
    inProject: (project) =>
      sql`(plans.state = 'offered' or ${ofPanels(sql<SqlBool>`p.project_id = ${project}`)})`,
  },
  columns: { limits: () => limits },
  relationships: { planPrices: { foreignKey: 'plan_id' } },
  filters: { code: 'code', kind: 'kind', state: 'state' },
  order: 'position',
})
