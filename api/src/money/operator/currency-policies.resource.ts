import { currencyPolicies } from '@portico/contract/resources/currency-policies.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { editAmounts } from './edit-policy.ts'

export default serve(currencyPolicies, {
  table: 'currency_policies',
  ofStaff: true,
  policy: { read: staffAlone(...moneyStaff.roles), editAmounts: staffAlone('admin') },
  columns: {
    currency: () => sql`(select code from currencies where id = currency_policies.currency_id)`,
    quick_amounts: () => sql`to_jsonb(currency_policies.quick_amounts)`,
  },
  sorts: { currency: 'position' },
  order: 'currency',
  actions: { editAmounts },
  constraints: {
    currency_policies_limit: { field: 'credit_limit', refusal: reason('policy_limit_order') },
    currency_policies_deposit: { field: 'deposit_most', refusal: reason('policy_deposit_order') },
    currency_policies_quick: { field: 'quick_amounts', refusal: reason('policy_quick_outside') },
    currency_policies_threshold: { field: 'threshold_usual', refusal: reason('policy_threshold_outside') },
    currency_policies_recharge: { field: 'recharge_usual', refusal: reason('policy_recharge_outside') },
  },
})
