import { usages } from '@portico/contract/resources/usages.ts'
import { type Expression, sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { accountOrStaff, accountStaff } from '#sharing/reach.ts'
import { explainMonth } from './explain/explain-month.ts'
import { summariseUsage } from './summary.ts'
import { isOfResource } from './used-resource.ts'

const lines = sql`(select coalesce(json_agg(json_build_object('meter', m.code, 'unit', m.unit, 'quantity', l.quantity,
  'unit_price', l.unit_price, 'amount', l.amount) order by l.meter_id), '[]')
  from usage_lines l join meters m on m.id = l.meter_id where l.usage_id = usages.id)`

const used = sql`(select string_agg(m.code || ' ' || trim_scale(l.quantity) || ' ' || m.unit, '; ' order by l.meter_id)
  from usage_lines l join meters m on m.id = l.meter_id where l.usage_id = usages.id)`

const hasMeter = (code: Expression<string>) => sql<boolean>`exists (select from usage_lines l
  where l.usage_id = usages.id and l.meter_id = (select id from meters where code = ${code}::text))`

export default serve(usages, {
  table: 'usages',
  policy: {
    read: accountOrStaff('usages.client_id', 'billing'),
    summary: { ...everyone, ...accountStaff },
    explain: { ...everyone, ...accountStaff },
  },
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  keys: { group: 'usage', inProject: (project) => sql`usages.project_id = ${project}` },
  columns: { lines: () => lines },
  relationships: { project: 'project_id', panel: 'panel_id', notes: { foreignKey: 'usage_id' } },
  filters: {
    client_id: 'client_id',
    project_id: 'project_id',
    panel_id: 'panel_id',
    resource: (_, value) => isOfResource('usages', value),
    meter: (_, value) => hasMeter(value),
    from: (eb, value) => eb('usages.usage_on', '>=', value),
    to: (eb, value) => eb('usages.usage_on', '<=', value),
    status: 'status',
    search: (eb, value) =>
      eb.or([
        contains(eb.ref('usages.resource_ref'), value),
        contains(eb.fn.coalesce('usages.resource_name', sql<string>`''`), value),
      ]),
  },
  order: '-usage_on',
  totals: {
    sums: {
      rated_amount: sql`usages.rated_amount`,
      charged_amount: sql`usages.charged_amount`,
      unpriced: sql`usages.unpriced::int`,
    },
    kept: [
      { table: 'usage_client_days', count: 'usages', filters: ['from', 'to'] },
      { table: 'usage_panel_days', count: 'usages', filters: ['from', 'to', 'panel_id', 'project_id'] },
    ],
  },
  csvOfOne: true,
  csv: {
    date: 'usage_on',
    workspace: () => sql`(select name from projects where id = usages.project_id)`,
    panel: () => sql`(select name from panels where id = usages.panel_id)`,
    resource: 'resource_ref',
    name: 'resource_name',
    used: () => used,
    amount: 'rated_amount',
    charged: 'charged_amount',
    currency: 'currency',
    status: 'status',
  },
  actions: {
    summary: (context, { input }) => summariseUsage(context, input),
    explain: (context, { input }) => explainMonth(context, input),
  },
})
