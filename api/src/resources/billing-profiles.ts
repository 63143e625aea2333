import { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { everyone } from '../jsonapi/policy.ts'
import { serve } from '../jsonapi/serve.ts'
import { forecast } from '../services/forecast.ts'
import { account } from './reach.ts'

export default serve(billingProfiles, {
  table: 'billing_profiles',
  policy: { read: account('billing_profiles.client_id', 'billing'), forecast: everyone },
  account: 'client_id',
  keys: { group: 'billing' },
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
  actions: { forecast: (context, { row, input }) => forecast(context, Number(row.id), input) },
})
