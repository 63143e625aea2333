import { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { serve } from '../jsonapi/serve.ts'
import { account } from './reach.ts'

export default serve(billingProfiles, {
  table: 'billing_profiles',
  policy: { read: account('billing_profiles.client_id', 'billing') },
  account: 'client_id',
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
})
