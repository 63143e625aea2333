import { planPrices } from '@portico/contract/resources/plan-prices.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { chargedAccount, chargedByIt, countsOn, priceKeys } from './price-readers.ts'

const columns = {
  list: 'plan_price_rows.price_list_id',
  plan: 'plan_price_rows.plan_id',
}

export default serve(planPrices, {
  table: 'plan_price_rows',
  policy: {
    read: chargedByIt('plan_price_rows', columns),
  },
  keys: priceKeys,
  relationships: { priceList: 'price_list_id', plan: 'plan_id' },
  filters: {
    client_id: chargedAccount(columns),
    on: countsOn('plan_price_rows'),
    price_list_id: 'price_list_id',
    plan_id: 'plan_id',
  },
  order: 'valid_from',
})
