import { sql } from 'kysely'
import type { Pool } from '#platform/db/pool.ts'

export type MadeTicket = {
  readonly ticket: number
  /** The ids of a client's question, an answer of staff, and a note of staff. */
  readonly messages: readonly [question: number, answer: number, note: number]
  /** Of the question, and of the note. */
  readonly files: readonly [file: number, hidden: number]
  readonly email: number
  readonly notified: number
}

/** A member of staff who can be signed in as by the test's own tokens. */
export async function makeAdmin(pool: Pool, role = 'support'): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into admins (email, display_name, role, totp_required, rights_since)
    values (gen_random_uuid() || '@staff.example', 'Sorin', ${role}, false, '2020-01-01') returning id`.execute(
    pool.kysely,
  )
  return rows[0]?.id ?? 0
}

/** A ticket with a question, an answer and a note, files, and a notified address. Written straight to the tables. */
export async function makeTicket(
  pool: Pool,
  about: { client: number; opener?: number; panel?: number | null; department?: string; admin?: number },
): Promise<MadeTicket> {
  const { client, opener = client, panel = null, department = 'technical' } = about
  const admin = about.admin ?? (await makeAdmin(pool))
  const { rows } = await sql<{ made: MadeTicket }>`
    with opened as (
      insert into tickets (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, subject,
        first_response_due, client_unread)
      select ${client}, ${opener}, ${panel}, id, 3, 'The site is slow', now(), true from ticket_departments
      where code = ${department} returning id),
    said as (
      insert into ticket_messages (ticket_id, client_id, author_client_id, author_admin_id, body, visibility)
      select opened.id, ${client}, m.client, m.admin, m.body, m.visibility from opened, (values
        (1, ${opener}::int8, null::int8, 'Since noon', 'public'), (2, null, ${admin}::int8, 'Is it still?', 'public'),
        (3, null, ${admin}::int8, 'It is the cache', 'internal')) m (n, client, admin, body, visibility)
      order by m.n returning id),
    ids as (select array_agg(id order by id) as message from said),
    book as (
      insert into ticket_emails (client_id, email, name)
      values (${client}, gen_random_uuid() || '@example.com', 'Office') returning id),
    notified as (
      insert into ticket_ticket_emails (client_id, ticket_id, ticket_email_id)
      select ${client}, opened.id, book.id from opened, book returning id)
    select json_build_object('ticket', opened.id, 'messages', ids.message, 'email', book.id, 'notified', notified.id) as made
    from opened, ids, book, notified`.execute(pool.kysely)
  const made = rows[0]?.made
  if (made === undefined) throw new Error('No ticket was made.')
  const [question, , note] = made.messages
  const { rows: files } = await sql<{ id: number }>`
    insert into ticket_files (ticket_message_id, uploaded_by_client_id, uploaded_by_admin_id, filename, mime, size, sha256,
      storage_key, scan_status)
    values (${question}, ${opener}, null, 'log.txt', 'text/plain', 12, '\\x00', gen_random_uuid()::text, 'clean'),
      (${note}, null, ${admin}, 'cache.txt', 'text/plain', 12, '\\x00', gen_random_uuid()::text, 'clean')
    returning id`.execute(pool.kysely)
  return { ...made, files: [files[0]?.id ?? 0, files[1]?.id ?? 0] }
}
