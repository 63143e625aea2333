import { servers } from '@portico/contract/resources/servers.ts'
import { sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { panel } from '#sharing/reach.ts'
import { panelResource } from './panel-content.ts'

export default serve(servers, {
  table: 'servers',
  policy: { read: panel('servers.client_id', 'servers.project_id', 'servers.panel_id') },
  ...panelResource,
  keys: { group: 'panels', inProject: (project) => sql`servers.project_id = ${project}` },
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('servers.name'), value),
  },
})
