import { prices } from '@portico/contract/resources/prices.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { chargedByIt, priceFilters, priceKeys } from './price-readers.ts'

export default serve(prices, {
  table: 'price_rows',
  policy: {
    read: chargedByIt('price_rows', {
      list: 'price_rows.price_list_id',
      plan: 'price_rows.plan_id',
      anyPlan: true,
    }),
  },
  keys: priceKeys,
  relationships: { priceList: 'price_list_id', plan: 'plan_id' },
  filters: {
    ...priceFilters('price_rows'),
    price_list_id: 'price_list_id',
    plan_id: 'plan_id',
    meter: 'meter',
  },
  order: 'meter',
})
