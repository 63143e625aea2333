import { countries } from '@portico/contract/resources/countries.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(countries, {
  table: 'countries',
  relationships: { counties: { foreignKey: 'country_id' } },
  filters: {
    code: 'code',
    search: (eb, value) =>
      eb.or([contains(eb.ref('countries.name'), value), contains(eb.ref('countries.name_ro'), value)]),
  },
  order: 'name',
})
