import { type SqlBool, sql } from 'kysely'

/** The condition that a row of clients is no member of staff. */
export const notStaff = (clients: string) =>
  sql<SqlBool>`not exists (select from admins a where a.auth_id = ${sql.ref(`${clients}.auth_id`)})`

/** SQL: a row of clients is in a trial that ends within three days. */
export const trialEnds = (clients: string) => {
  const of = (column: string) => sql.ref(`${clients}.${column}`)
  return sql<SqlBool>`(${of('trial_ended_on')} is null and ${of('trial_ends_at')} > (select clock_now())
    and ${of('trial_ends_at')} < (select clock_now()) + interval '3 days' and ${of('status')} in (1, 2))`
}
