import { type Expression, type SqlBool, sql } from 'kysely'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'

// The tickets that each staff role reads and answers, as conditions on rows; `t` is the alias of the table of
// tickets.

/** Whether a ticket's department requires billing access. */
export const ofBilling = (t: string) =>
  sql<SqlBool>`${sql.ref(`${t}.ticket_department_id`)} in (select id from ticket_departments where requires_billing)`

/**
 * Whether staff see a ticket: every role sees all, except that billing staff see those of billing
 * departments.
 */
export const staffSees = (t: string, { role }: SymbolicStaff): Expression<SqlBool> =>
  sql<SqlBool>`(${role} in ('support', 'admin', 'readonly') or (${role} = 'billing' and ${ofBilling(t)}))`

/** Whether staff answer a ticket: those who see it and are not read-only. */
export const staffAnswers = (t: string, staff: SymbolicStaff) =>
  sql<SqlBool>`(${staff.role} <> 'readonly' and ${staffSees(t, staff)})`
