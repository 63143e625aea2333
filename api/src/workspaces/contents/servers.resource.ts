import { servers } from '@portico/contract/resources/servers.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { panel, panelAccounts } from '#sharing/reach.ts'
import { panelResource } from './panel-content.ts'
import { readSeries } from './readings.ts'
import { powerServer } from './server-power.ts'

export default serve(servers, {
  table: 'servers',
  policy: {
    read: panel('servers.client_id', 'servers.project_id', 'servers.panel_id'),
    series: everyone,
    power: panelAccounts('servers.client_id', 'servers.project_id', 'servers.panel_id', (owner) =>
      reason('panel_accounts_not_allowed', { owner }),
    ),
  },
  ...panelResource,
  keys: { group: 'panels', inProject: (project) => sql`servers.project_id = ${project}` },
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('servers.name'), value),
  },
  actions: { power: outside(powerServer), series: outside(readSeries('server')) },
})
