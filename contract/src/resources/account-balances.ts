import { idParameter, integerId, money, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const accountBalances = resource('account-balances', {
  description:
    'The balance of an account: prepaid money and promotional credit, both net of VAT. Only the ledger writes it.',
  attributes: { client_id: integerId, account_balance: money, credit_balance: money, ...stamps },
  relationships: { client: toOne('clients') },
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
})
