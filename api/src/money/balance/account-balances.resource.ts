import { accountBalances } from '@portico/contract/resources/account-balances.ts'
import { type SqlBool, sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { accountOrStaff } from '#sharing/reach.ts'

export default serve(accountBalances, {
  table: 'account_balances',
  // Staff have no customer account.
  present: () => sql<SqlBool>`not is_staff(account_balances.client_id)`,
  policy: { read: accountOrStaff('account_balances.client_id', 'billing') },
  account: 'client_id',
  keys: { group: 'billing' },
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
})
