import { countries } from '@portico/contract/resources/countries.ts'
import { lookup } from '../jsonapi/serve.ts'
import { contains } from './contains.ts'

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
