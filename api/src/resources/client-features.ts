import { clientFeatures } from '@portico/contract/resources/client-features.ts'
import { own } from '../jsonapi/policy.ts'
import { serve } from '../jsonapi/serve.ts'

export default serve(clientFeatures, {
  table: 'client_features',
  policy: { read: own('client_features.client_id') },
  account: 'client_id',
  filters: { client_id: 'client_id' },
})
