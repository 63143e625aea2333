import { clusters } from '@portico/contract/resources/clusters.ts'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'
import { panel } from './reach.ts'

export default serve(clusters, {
  table: 'clusters',
  policy: { read: panel('clusters.client_id', 'clusters.project_id', 'clusters.panel_id') },
  ...panelResource,
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('clusters.name'), value),
  },
})
