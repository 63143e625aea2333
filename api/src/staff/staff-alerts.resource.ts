import { staffAlerts } from '@portico/contract/resources/staff-alerts.ts'
import { sql } from 'kysely'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { alertConcerns, assignAlert, resolveByStaff } from './alert-notices.ts'

/** Administrators, and billing staff for alerts about money. */
const concerned: Rule<'staff_alerts'> = {
  ...nobody,
  table: 'staff_alerts',
  staff: ({ role }) => alertConcerns(role, sql.ref('staff_alerts.kind')),
}

export default serve(staffAlerts, {
  table: 'staff_alerts',
  routine: true,
  policy: { read: concerned, assign: concerned, resolve: concerned },
  filters: {
    open: (_, value) => sql`(staff_alerts.resolved_at is null) = ${value}::boolean`,
    assigned_admin_id: 'assigned_admin_id',
  },
  order: '-createdAt',
  actions: {
    assign: (context, { row, input }) => assignAlert(context, row, input.admin_id),
    resolve: (context, { row, input }) => resolveByStaff(context, row, input.reason),
  },
})
