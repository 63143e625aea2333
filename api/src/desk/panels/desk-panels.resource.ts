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
    reasons: (_, actor) => panelReasons(actor),
  },
  filters: {
    status: 'status',
    panel_engine_id: 'panel_engine_id',
    plan_waits: (_, value) =>
      sql`(panels.id in (select w.panel_id from ${waitingPlans} w)) = ${value}::boolean`,
    search: (_, text) =>
      sql`(${likeFolded(sql`panels.name`, text)} or ${likeFolded(sql`panels.domain`, text)})`,
  },
  order: '-createdAt',
})
