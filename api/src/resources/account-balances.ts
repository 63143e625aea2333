import { accountBalances } from '@portico/contract/resources/account-balances.ts'
import { serve } from '../jsonapi/serve.ts'

export default serve(accountBalances, {
  table: 'account_balances',
  visible: (eb, actor) => eb('account_balances.client_id', '=', eb.fn.any(actor.owners('billing'))),
  account: 'client_id',
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
})
