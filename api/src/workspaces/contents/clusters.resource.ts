import { clusters } from '@portico/contract/resources/clusters.ts'
import { sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { panel } from '#sharing/reach.ts'
import { panelResource } from './panel-content.ts'
import { readSeries } from './readings.ts'

export default serve(clusters, {
  table: 'clusters',
  policy: {
    read: panel('clusters.client_id', 'clusters.project_id', 'clusters.panel_id'),
    series: everyone,
  },
  ...panelResource,
  keys: { group: 'panels', inProject: (project) => sql`clusters.project_id = ${project}` },
  filters: {
    ...panelResource.filters,
    search: (eb, value) => contains(eb.ref('clusters.name'), value),
  },
  actions: { series: outside(readSeries('cluster')) },
})
