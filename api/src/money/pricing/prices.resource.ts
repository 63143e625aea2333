import { prices } from '@portico/contract/resources/prices.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { chargedAccount, chargedByIt, countsOn, priceKeys } from './price-readers.ts'

const columns = {
  list: 'price_rows.price_list_id',
  plan: 'price_rows.plan_id',
  anyPlan: true,
}

export default serve(prices, {
  table: 'price_rows',
  policy: {
    read: chargedByIt('price_rows', columns),
  },
  keys: priceKeys,
  relationships: { priceList: 'price_list_id', plan: 'plan_id' },
  filters: {
    client_id: chargedAccount(columns),
    on: countsOn('price_rows'),
    price_list_id: 'price_list_id',
    plan_id: 'plan_id',
    meter: 'meter',
  },
  order: 'meter',
})
