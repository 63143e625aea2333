import { panelPlans } from '@portico/contract/resources/panel-plans.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { panel } from '#sharing/reach.ts'

export default serve(panelPlans, {
  table: 'panel_plan_rows',
  policy: {
    read: {
      ...panel('panel_plan_rows.client_id', 'panel_plan_rows.project_id', 'panel_plan_rows.panel_id'),
      staff: () => sql`true`,
    },
  },
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  keys: {
    group: 'panels',
    alsoReadBy: ['usage'],
    inProject: (project) => sql`panel_plan_rows.project_id = ${project}`,
  },
  relationships: { panel: 'panel_id', plan: 'plan_id' },
  filters: { client_id: 'client_id', project_id: 'project_id', panel_id: 'panel_id' },
  order: '-starts_at',
})
