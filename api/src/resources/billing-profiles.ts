import { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { serve } from '../jsonapi/serve.ts'

export default serve(billingProfiles, {
  table: 'billing_profiles',
  visible: (eb, actor) => eb('billing_profiles.client_id', '=', eb.fn.any(actor.owners('billing'))),
  account: 'client_id',
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
})
