import { planPrices } from '@portico/contract/resources/plan-prices.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { chargedByIt, priceFilters, priceKeys } from './price-readers.ts'

export default serve(planPrices, {
  table: 'plan_price_rows',
  policy: {
    read: chargedByIt('plan_price_rows', {
      list: 'plan_price_rows.price_list_id',
      plan: 'plan_price_rows.plan_id',
    }),
  },
  keys: priceKeys,
  relationships: { priceList: 'price_list_id', plan: 'plan_id' },
  filters: { ...priceFilters('plan_price_rows'), price_list_id: 'price_list_id', plan_id: 'plan_id' },
  order: 'valid_from',
})
