import { domains } from '@portico/contract/resources/domains.ts'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'

export default serve(domains, {
  table: 'domains',
  visible: (eb, actor) => eb('domains.client_id', '=', eb.fn.any(actor.owners('my_workspaces'))),
  ...panelResource,
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('domains.name'), value),
  },
})
