import { policyChanges } from '@portico/contract/resources/policy-changes.ts'
import { sql } from 'kysely'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { moneyStaff } from '#sharing/reach.ts'

/** SQL: a row `c` of `staff_action_changes` is of a policy. Migration 0340 indexes it. */
const ofPolicy = sql`c.table_name in ('billing_policies', 'currency_policies', 'access_policies')`

/** SQL: and of one that the reader may read: the rules of access are for administrators. */
const ofReadPolicy = (staff: SymbolicStaff | undefined) =>
  staff ? sql`${ofPolicy} and (${staff.role} = 'admin' or c.table_name <> 'access_policies')` : sql`false`

const readers: Rule<'staff_actions'> = {
  ...nobody,
  table: 'staff_actions',
  roles: moneyStaff.roles,
  staff: (staff) => sql`${moneyStaff.staff(staff)} and exists (select from staff_action_changes c
    where c.action_id = staff_actions.id and ${ofReadPolicy(staff)})`,
}

// These columns change with every change, or never for a reader.
const silent = sql`array['id', 'created_at', 'updated_at', 'only_one', 'position', 'currency_id']`

export default serve(policyChanges, {
  table: 'staff_actions',
  ofStaff: true,
  pageFirst: true,
  policy: { read: readers },
  columns: {
    admin_name: () => sql`(select a.display_name from admins a where a.id = staff_actions.admin_id)`,
    changes: (_, actor) => sql`(select coalesce(jsonb_agg(jsonb_build_object(
        'policy', replace(c.table_name, '_', '-'),
        'currency', (select u.code from currencies u where c.table_name = 'currency_policies' and u.id = c.row_id::bigint),
        'field', k, 'before', c.before -> k, 'after', c.after -> k) order by c.id, k), '[]')
      from staff_action_changes c, jsonb_object_keys(coalesce(c.after, '{}') || coalesce(c.before, '{}')) k
      where c.action_id = staff_actions.id and ${ofReadPolicy(actor.staff)} and k <> all(${silent}))`,
  },
  order: '-at',
})
