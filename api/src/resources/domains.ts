import { domains } from '@portico/contract/resources/domains.ts'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'
import { domain } from './reach.ts'

export default serve(domains, {
  table: 'domains',
  policy: { read: domain('domains.client_id', 'domains.project_id', 'domains.panel_id', 'domains.id') },
  ...panelResource,
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('domains.name'), value),
  },
})
