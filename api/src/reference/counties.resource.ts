import { counties } from '@portico/contract/resources/counties.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(counties, {
  table: 'counties',
  relationships: { country: 'country_id' },
  filters: { country_id: 'country_id' },
  order: 'name',
})
