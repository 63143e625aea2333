import { deskPanels } from '@portico/contract/resources/desk-panels.ts'
import { sql } from 'kysely'
import { clientName } from '#desk/money/client-name.ts'
import { likeFolded } from '#platform/jsonapi/declare/like-folded.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { panelReasons } from '#workspaces/panel-reasons.ts'
import { waitingPlans } from '#workspaces/plans/waiting-plans.ts'

export default serve(deskPanels, {
  table: 'panels',
  ofStaff: true,
  pageFirst: true,
  present: (eb) => eb('panels.deleted_at', 'is', null),
  policy: { read: staffAlone(...allStaff) },
  columns: {
    client_name: () => clientName(sql`panels.client_id`),
    plan_code: () =>
      sql`coalesce((select p.code from plans p where p.id = panels.plan_id), panels.plan_code)`,
    engine: () => sql`(select e.name from panel_engines e where e.id = panels.panel_engine_id)`,
    used_through: () =>
      sql`(select w.through from engine_watermarks w where w.panel_engine_id = panels.panel_engine_id)`,
    currency: () =>
      sql`(select u.code from clients c join currencies u on u.id = c.currency_id where c.id = panels.client_id)`,
    // Usage from before a change of currency was charged in the former one.
    month_cost: () =>
      sql`(select coalesce(sum(u.rated_amount), 0) from usages u where u.panel_id = panels.id
        and u.usage_on >= date_trunc('month', clock_today())::date and u.currency = (select k.code from clients c
          join currencies k on k.id = c.currency_id where c.id = panels.client_id))`,
    reasons: (_, actor) => panelReasons(actor),
  },
  filters: {
    client_id: 'client_id',
    status: 'status',
    panel_engine_id: 'panel_engine_id',
    plan_waits: (_, value) =>
      sql`(panels.id in (select w.panel_id from ${waitingPlans} w)) = ${value}::boolean`,
    search: (_, text) =>
      sql`(${likeFolded(sql`panels.name`, text)} or ${likeFolded(sql`panels.domain`, text)})`,
  },
  order: '-createdAt',
})
