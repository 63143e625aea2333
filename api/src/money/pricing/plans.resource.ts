import { plans } from '@portico/contract/resources/plans.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { anybody, everyone, nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { panelShared } from '#sharing/reach.ts'
import { allStaff } from '#staff/roles.ts'
import { offers } from './offers.ts'
import { limitsOfPlan } from './plan-limits.ts'
import { billed } from './price-readers.ts'
import { quotePlan } from './quote-plan.ts'

/** Plans that some of these panels `p` have or had. */
const ofPanels = (panels: Expression<SqlBool>) => sql<SqlBool>`plans.id in (select held.plan_id from panels p
  cross join lateral (select p.plan_id union select h.plan_id from panel_plans h where h.panel_id = p.id) held
  where p.deleted_at is null and ${panels})`

const place = { owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }

/** Panels `p` that the actor sees. */
const seenPanels = (actor: SymbolicActor) => {
  if (actor.staff) return sql<SqlBool>`true`
  const own = sql<SqlBool>`p.client_id = ${actor.id}`
  return actor.guest ? sql<SqlBool>`(${own} or ${panelShared(place, 'see', actor)})` : own
}

/** Plans that panels of these accounts have or had, deleted ones included: their bills name them. */
const ofAccounts = (clients: Expression<number[]>) =>
  sql<SqlBool>`plans.id in (select plans_held(${clients}))`

/** Everyone sees what is offered, and the plans of panels that they see or whose billing they read. */
const offeredOrHeld: Rule<'plans'> = {
  ...nobody,
  table: 'plans',
  shared: (actor) =>
    sql<SqlBool>`(plans.state = 'offered' or ${ofPanels(seenPanels(actor))} or ${ofAccounts(billed(actor))})`,
  guestsOnly: false,
  staff: () => sql<SqlBool>`true`,
}

/** Open to visitors, and to staff of every role. */
const openToAll: Rule<never> = { ...anybody, roles: allStaff }

export default serve(plans, {
  table: 'plans',
  policy: { read: offeredOrHeld, offers: openToAll, quote: everyone },
  keys: {
    group: 'panels',
    alsoReadBy: ['usage', 'billing'],
    inProject: (project) =>
      sql`(plans.state = 'offered' or ${ofPanels(sql<SqlBool>`p.project_id = ${project}`)})`,
  },
  columns: { limits: () => limitsOfPlan },
  relationships: { planPrices: { foreignKey: 'plan_id' } },
  filters: {
    client_id: (_, client, actor) =>
      sql<SqlBool>`(${ofPanels(sql<SqlBool>`p.client_id = ${client}::int8 and ${seenPanels(actor)}`)}
        ${actor.staff ? sql`` : sql`or (${client}::int8 = any(${billed(actor)}) and ${ofAccounts(sql<number[]>`array[${client}::int8]`)})`})`,
    code: 'code',
    kind: 'kind',
    state: 'state',
  },
  order: 'position',
  actions: { offers, quote: quotePlan },
})
