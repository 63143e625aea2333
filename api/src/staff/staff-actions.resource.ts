import { mostChanges, staffActions } from '@portico/contract/resources/staff-actions.ts'
import { sql } from 'kysely'
import { likeFolded } from '#platform/jsonapi/declare/like-folded.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

const administrators: Rule<'staff_actions'> = {
  ...nobody,
  table: 'staff_actions',
  staff: ({ role }) => sql`${role} = 'admin'`,
}

export default serve(staffActions, {
  table: 'staff_actions',
  pageFirst: true,
  policy: { read: administrators },
  columns: {
    resource_type: 'type',
    admin_name: () => sql`(select a.display_name from admins a where a.id = staff_actions.admin_id)`,
    approved_by_name: () => sql`(select a.display_name from admins a where a.id = staff_actions.approved_by)`,
    client_name: () =>
      sql`(select btrim(c.first_name || ' ' || c.last_name) from clients c where c.id = staff_actions.client_id)`,
    ip: () => sql`host(staff_actions.ip)`,
    changes_total: () =>
      sql`(select count(*)::int from staff_action_changes c where c.action_id = staff_actions.id)`,
    changes:
      () => sql`(select coalesce(jsonb_agg(jsonb_build_object('table', c.table_name, 'id', c.row_id, 'op', c.op,
      'before', c.before, 'after', c.after) order by c.id), '[]')
      from (select * from staff_action_changes c where c.action_id = staff_actions.id order by c.id limit ${sql.lit(mostChanges)}) c)`,
  },
  relationships: { client: 'client_id' },
  filters: {
    admin_id: 'admin_id',
    client_id: 'client_id',
    verb: 'verb',
    resource_type: 'type',
    origin: 'origin',
    reason: 'reason',
    search: (_, value) => likeFolded(sql`staff_actions.reason`, value),
    from: (_, value) => sql`staff_actions.at >= (${value}::date)::timestamp at time zone 'utc'`,
    to: (_, value) => sql`staff_actions.at < (${value}::date + 1)::timestamp at time zone 'utc'`,
  },
  order: '-at',
})
