import { domains } from '@portico/contract/resources/domains.ts'
import { sql } from 'kysely'
import { serve } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'
import { panelResource } from './panel-resource.ts'
import { domain } from './reach.ts'

export default serve(domains, {
  table: 'domains',
  policy: { read: domain('domains.client_id', 'domains.project_id', 'domains.panel_id', 'domains.id') },
  ...panelResource,
  keys: { group: 'panels', inProject: (project) => sql`domains.project_id = ${project}` },
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('domains.name'), value),
  },
})
