import { panels } from '@portico/contract/resources/panels.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Actor, RowOf } from '../db/context.ts'
import type { DB } from '../db/types.ts'
import { serve, type Verdict } from '../jsonapi/serve.ts'
import { newPanel, panelCreated, panelUpdated, removePanel, requestSync } from '../services/panels.ts'
import { contains } from './contains.ts'

const count = (kind: 'server' | 'cluster' | 'domain') => (eb: ExpressionBuilder<DB, 'panels'>) =>
  eb
    .selectFrom('panel_resources')
    .whereRef('panel_resources.panel_id', '=', 'panels.id')
    .where('panel_resources.kind', '=', sql.lit(kind))
    .where('panel_resources.gone_at', 'is', null)
    .select((inner) => inner.cast<number>(inner.fn.countAll(), 'integer').as('count'))

function mayChange(actor: Actor, row: RowOf<'panels'>): Verdict {
  if (row.client_id !== actor.id) return 'Only the owner may change a panel.'
  return row.status !== 'deleting' || 'This panel is being deleted.'
}

export default serve(panels, {
  table: 'panels',
  visible: (eb, actor) =>
    eb.and([
      eb('panels.deleted_at', 'is', null),
      eb('panels.client_id', '=', eb.fn.any(actor.owners('my_workspaces'))),
    ]),
  account: 'client_id',
  columns: {
    user_type: (eb, actor) =>
      eb.case().when('panels.client_id', '=', actor.id).then(sql.lit(0)).else(sql.lit(1)).end(),
    servers_count: count('server'),
    clusters_count: count('cluster'),
    domains_count: count('domain'),
  },
  may: { update: mayChange, delete: mayChange, sync: mayChange },
  fill: newPanel,
  relationships: {
    project: 'project_id',
    client: 'client_id',
    servers: { foreignKey: 'panel_id' },
    clusters: { foreignKey: 'panel_id' },
    domains: { foreignKey: 'panel_id' },
  },
  filters: {
    client_id: 'client_id',
    project_id: 'project_id',
    status: 'status',
    search: (eb, value) => contains(eb.ref('panels.name'), value),
  },
  order: 'createdAt',
  constraints: {
    panels_name_taken: { field: 'name', detail: 'This workspace already has a panel of this name.' },
    panel_of_owner: { field: 'project', detail: 'A panel can only move to another workspace of its owner.' },
  },
  created: panelCreated,
  updated: panelUpdated,
  remove: removePanel,
  actions: { sync: requestSync },
})
