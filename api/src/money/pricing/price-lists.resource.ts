import { priceLists } from '@portico/contract/resources/price-lists.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { chargedAccount, chargedByIt, priceKeys } from './price-readers.ts'

export default serve(priceLists, {
  table: 'price_lists',
  policy: { read: chargedByIt('price_lists', { list: 'price_lists.id' }) },
  keys: priceKeys,
  relationships: {
    planPrices: { foreignKey: 'price_list_id' },
    prices: { foreignKey: 'price_list_id' },
  },
  filters: { client_id: chargedAccount({ list: 'price_lists.id' }), currency: 'currency' },
  order: 'code',
})
