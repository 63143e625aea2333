import { sql } from 'kysely'

/** SQL: whether a ticket, `t` of `tickets`, waits for staff. */
export const waitsForStaff = (t: string) => sql`${sql.ref(`${t}.ticket_status_id`)} in (1, 2)`

/** SQL: the earliest deadline of a ticket, `t` of `tickets`; the first answer's counts until it was given. */
export const dueAt = (t: string) => sql`least(
  case when ${sql.ref(`${t}.first_responded_at`)} is null then ${sql.ref(`${t}.first_response_due`)} end,
  ${sql.ref(`${t}.resolve_due`)})`
