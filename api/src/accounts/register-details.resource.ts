import { registerDetails } from '@portico/contract/resources/register-details.ts'
import { reason } from '#platform/errors/problem.ts'
import { everyone, own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { saveRegistrationDetails } from './register-details.ts'
import { keepAcceptance } from './texts/acceptances.ts'
import { assertCurrentTerms } from './texts/texts.ts'

export default serve(registerDetails, {
  table: 'register_details',
  // Only the owner, regardless of sharing: the accepted terms are between them and the operator.
  policy: { read: own('register_details.client_id'), create: everyone },
  account: 'client_id',
  fill: async ({ tx, actor, ip, now, sent }) => {
    await assertCurrentTerms(tx, sent.terms_version)
    return {
      client_id: actor.id,
      ip,
      terms_accepted_at: now.toISOString(),
      privacy_accepted_at: now.toISOString(),
    }
  },
  relationships: { client: 'client_id', country: 'country_id', county: 'county_id' },
  filters: { client_id: 'client_id' },
  constraints: {
    register_details_client_id_key: { field: 'client', refusal: reason('register_details_given') },
    register_details_country_id_fkey: { field: 'country_id', refusal: reason('country_unknown') },
    register_company_has_name: { field: 'company_name', refusal: reason('company_name_required') },
    register_county_needs_country: { field: 'county_id', refusal: reason('county_needs_country') },
    register_county_of_country: { field: 'county_id', refusal: reason('county_of_other_country') },
  },
  created: async (context, details) => {
    await saveRegistrationDetails(context, details)
    await keepAcceptance(context.tx, details.client_id, details.terms_version)
  },
})
