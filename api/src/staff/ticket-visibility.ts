import { type Expression, type SqlBool, sql } from 'kysely'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'

// The tickets that each staff role reads and answers, as conditions on rows; `t` is the alias of the table of
// tickets.

/** Whether a ticket's department requires billing access. */
export const ofBilling = (t: string) =>
  sql<SqlBool>`${sql.ref(`${t}.ticket_department_id`)} in (select id from ticket_departments where requires_billing)`

/** Whether a role answers the tickets of a department: support all, billing those that require billing access. */
export const roleAnswers = (role: Expression<unknown>, requiresBilling: Expression<unknown>) =>
  sql<SqlBool>`(${role} in ('support', 'admin') or (${role} = 'billing' and ${requiresBilling}))`

/** Whether staff answer a ticket. */
export const staffAnswers = (t: string, { role }: SymbolicStaff): Expression<SqlBool> =>
  roleAnswers(role, ofBilling(t))

/** Whether staff see a ticket: those who answer it, and who only read. */
export const staffSees = (t: string, staff: SymbolicStaff): Expression<SqlBool> =>
  sql<SqlBool>`(${staff.role} = 'readonly' or ${staffAnswers(t, staff)})`
