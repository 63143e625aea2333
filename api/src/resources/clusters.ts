import { clusters } from '@portico/contract/resources/clusters.ts'
import { sql } from 'kysely'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'
import { panel } from './reach.ts'

export default serve(clusters, {
  table: 'clusters',
  policy: { read: panel('clusters.client_id', 'clusters.project_id', 'clusters.panel_id') },
  ...panelResource,
  keys: { group: 'panels', inProject: (project) => sql`clusters.project_id = ${project}` },
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('clusters.name'), value),
  },
})
