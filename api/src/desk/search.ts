import { type SqlBool, sql } from 'kysely'

/** The condition that a row of clients is no member of staff. */
export const notStaff = (clients: string) =>
  sql<SqlBool>`not exists (select from admins a where a.auth_id = ${sql.ref(`${clients}.auth_id`)})`
