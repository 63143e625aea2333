import { clientEntities } from '@portico/contract/resources/client-entities.ts'
import { reason } from '#platform/errors/problem.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { account } from '#sharing/reach.ts'
import { detailsChanged } from './billing-details.ts'
import { lookUpCompany } from './company-lookup.ts'

export default serve(clientEntities, {
  table: 'client_entities',
  policy: {
    read: account('client_entities.client_id', 'billing'),
    update: account('client_entities.client_id', 'billing'),
    lookupCompany: { ...everyone, roles: ['admin'] },
  },
  // Staff look companies up here, and write nothing.
  routine: true,
  account: 'client_id',
  keys: { group: 'billing' },
  relationships: { client: 'client_id', country: 'country_id', county: 'county_id' },
  filters: { client_id: 'client_id' },
  updated: detailsChanged,
  actions: { lookupCompany: outside(lookUpCompany) },
  constraints: {
    client_entities_country_id_fkey: { field: 'country_id', refusal: reason('country_unknown') },
    county_needs_country: { field: 'county_id', refusal: reason('county_needs_country') },
    county_of_country: { field: 'county_id', refusal: reason('county_of_other_country') },
  },
})
