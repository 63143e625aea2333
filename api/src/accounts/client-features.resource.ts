import { clientFeatures } from '@portico/contract/resources/client-features.ts'
import { own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'

export default serve(clientFeatures, {
  table: 'client_features',
  policy: { read: { ...own('client_features.client_id'), ...moneyStaff } },
  account: 'client_id',
  filters: { client_id: 'client_id' },
})
