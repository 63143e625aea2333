import { billingPolicies } from '@portico/contract/resources/billing-policies.ts'
import { reason } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { editPolicy } from './edit-policy.ts'

export default serve(billingPolicies, {
  table: 'billing_policies',
  ofStaff: true,
  policy: { read: staffAlone(...moneyStaff.roles), editPolicy: staffAlone('admin') },
  actions: { editPolicy },
  constraints: {
    billing_policies_in_order: { field: 'suspend_days', refusal: reason('policy_suspend_order') },
  },
})
