import { deskDepartments } from '@portico/contract/resources/desk-departments.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { hasSecondFactor, staffAlone } from '#staff/roles.ts'
import { roleAnswers } from '#staff/ticket-visibility.ts'
import { add, close, edit, reopen } from './department-verbs.ts'

const admins = staffAlone('admin')

/** The names of staff who are notified of a new ticket, by the rule of `answering` in tickets/recipients. */
const followers = sql`(select coalesce(json_agg(a.display_name order by a.display_name, a.id), '[]') from admins a
  where a.disabled_at is null and a.auth_id is not null and ${sql.raw(hasSecondFactor('a'))}
    and ${roleAnswers(sql.ref('a.role'), sql.ref('ticket_departments.requires_billing'))}
    and coalesce(a.followed ->> ticket_departments.code, 'all') = 'all')`

export default serve(deskDepartments, {
  table: 'ticket_departments',
  ofStaff: true,
  policy: { read: admins, add: admins, edit: admins, close: admins, reopen: admins },
  may: {
    close: (_, { closed_at }) => closed_at === null,
    reopen: (_, { closed_at }) => closed_at !== null,
  },
  columns: {
    closed: () => sql`ticket_departments.closed_at is not null`,
    open_tickets: () => sql`(select coalesce(sum(c.many), 0)::int from ticket_counts c
      join ticket_statuses s on s.id = c.ticket_status_id
      where c.ticket_department_id = ticket_departments.id and s.code <> 'closed')`,
    followers: () => followers,
  },
  order: 'position',
  actions: { add, edit, close, reopen },
})
