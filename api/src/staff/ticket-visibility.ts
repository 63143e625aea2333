import { type Expression, type SqlBool, sql } from 'kysely'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'

// Which tickets each role of staff reads and answers, as conditions on rows; `t` is the alias of the table of tickets.

/** Whether a ticket is of a department that only people with billing rights see. */
export const ofBilling = (t: string) =>
  sql<SqlBool>`${sql.ref(`${t}.ticket_department_id`)} in (select id from ticket_departments where requires_billing)`

/** Whether staff reads a ticket: each role all of them, but that of billing those of its own departments. */
export const staffSees = (t: string, { role }: SymbolicStaff): Expression<SqlBool> =>
  sql<SqlBool>`(${role} in ('support', 'admin', 'readonly') or (${role} = 'billing' and ${ofBilling(t)}))`

/** Whether staff answers a ticket: whoever sees it and does not only read. */
export const staffAnswers = (t: string, staff: SymbolicStaff) =>
  sql<SqlBool>`(${staff.role} <> 'readonly' and ${staffSees(t, staff)})`
