import { accessPolicies } from '@portico/contract/resources/access-policies.ts'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { staffAlone } from '#staff/roles.ts'

type Rules = z.output<typeof accessPolicies.actions.editAccess.input>

/** Changes the rules of staff's access to accounts. Throws `recent_sign_in_required`. */
async function editAccess(context: Context, { input }: { readonly input: Rules }): Promise<Rules> {
  assertRecentSignIn(context)
  await context.tx.updateTable('access_policies').set(input).execute()
  return input
}

export default serve(accessPolicies, {
  table: 'access_policies',
  ofStaff: true,
  policy: { read: staffAlone('admin'), editAccess: staffAlone('admin') },
  actions: { editAccess },
})
