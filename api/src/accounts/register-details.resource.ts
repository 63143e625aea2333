import { registerDetails } from '@portico/contract/resources/register-details.ts'
import { everyone, own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { registrationTold } from './register-details.ts'

export default serve(registerDetails, {
  table: 'register_details',
  // Nobody else's, whatever was shared: what somebody agreed to is between them and the operator.
  policy: { read: own('register_details.client_id'), create: everyone },
  account: 'client_id',
  fill: ({ actor, ip, now }) => ({
    client_id: actor.id,
    ip,
    terms_accepted_at: now.toISOString(),
    privacy_accepted_at: now.toISOString(),
  }),
  relationships: { client: 'client_id', country: 'country_id', county: 'county_id' },
  filters: { client_id: 'client_id' },
  constraints: {
    register_details_client_id_key: { field: 'client', detail: 'You have told these details already.' },
    register_details_country_id_fkey: { field: 'country_id', detail: 'There is no such country.' },
    register_company_has_name: { field: 'company_name', detail: 'Company name is required' },
    register_county_needs_country: { field: 'county_id', detail: 'A county needs its country.' },
    register_county_of_country: { field: 'county_id', detail: 'The country has no such county.' },
  },
  created: registrationTold,
})
