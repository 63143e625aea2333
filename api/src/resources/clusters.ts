import { clusters } from '@portico/contract/resources/clusters.ts'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'

export default serve(clusters, {
  table: 'clusters',
  visible: (eb, actor) => eb('clusters.client_id', '=', eb.fn.any(actor.owners('my_workspaces'))),
  ...panelResource,
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('clusters.name'), value),
  },
})
