import { servers } from '@portico/contract/resources/servers.ts'
import { sql } from 'kysely'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'
import { panel } from './reach.ts'

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
