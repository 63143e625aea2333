import { cards } from '@portico/contract/resources/cards.ts'
import { reason } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { account, accountOrStaff, moneyStaff } from '#sharing/reach.ts'
import { removeCard, setDefault } from './cards.ts'

export default serve(cards, {
  table: 'cards',
  policy: {
    read: accountOrStaff('cards.client_id', 'billing', moneyStaff),
    update: account('cards.client_id', 'billing'),
    delete: account('cards.client_id', 'billing'),
    setDefault: account('cards.client_id', 'billing'),
  },
  present: (eb) => eb('cards.status', '<>', 'removed'),
  account: 'client_id',
  views: 'never',
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id', status: 'status' },
  order: 'createdAt',
  remove: removeCard,
  constraints: {
    cards_default_is_active: { field: 'is_default', refusal: reason('card_not_chargeable') },
  },
  actions: { setDefault },
})
