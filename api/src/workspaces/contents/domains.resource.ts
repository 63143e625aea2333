import { domains } from '@portico/contract/resources/domains.ts'
import { sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { domain } from '#sharing/reach.ts'
import { panelResource } from './panel-content.ts'

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
