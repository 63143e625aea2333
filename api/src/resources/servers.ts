import { servers } from '@portico/contract/resources/servers.ts'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'

export default serve(servers, {
  table: 'servers',
  visible: (eb, actor) => eb('servers.client_id', '=', eb.fn.any(actor.owners('my_workspaces'))),
  ...panelResource,
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('servers.name'), value),
  },
})
