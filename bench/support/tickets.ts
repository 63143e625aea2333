import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'

/** The readers of the bench: the owner of every ticket, and a staff member, whose queue has all of them. */
export const people = { client: 'client1@bench.test', staff: 'client2@bench.test' } as const

/** Creates so many tickets of one account, in every state, department and panel, each with two messages. */
export async function fillTickets(connection: Connection, tickets: number): Promise<void> {
  const statements = [
    `insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
       select 'client' || g || '@bench.test', 'First' || g, 'Last' || g, 1, 1, 1, now() from generate_series(1, 2) g`,
    `insert into admins (email, display_name, role, totp_required) values ('${people.staff}', 'Staff', 'support', false)`,
    `insert into projects (client_id, name) select id, 'Workspace' from clients where email = '${people.client}'`,
    `insert into panels (client_id, project_id, name, external_id, status, region)
       select client_id, id, 'panel-' || n, n, 'active', 'eu-central' from projects, generate_series(1, 10) n`,
    // Counted in one statement below, like the migration does: row by row a hundred thousand take minutes.
    'alter table tickets disable trigger count',
    `insert into tickets (number, client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, priority,
         subject, client_unread, first_response_due, closed_at, resolved_at, last_message_at, created_at)
       select 'T-' || n, o.id, o.id, p.id, 1 + n % 4, 1 + n % 6, 1 + n % 4, 'Disk ' || n || ' of ' || p.name || ' fills up',
         n % 7 = 0, now(), case when n % 6 = 5 then now() end, case when n % 6 = 4 then now() end,
         now() - n * interval '1 minute', now() - n * interval '2 minutes'
       from generate_series(1, ${tickets}) n
       join clients o on o.email = '${people.client}'
       join panels p on p.external_id = (1 + n % 10)::text`,
    'alter table tickets enable trigger count',
    `insert into ticket_counts
         (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, many)
       select client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, count(*)
       from tickets group by 1, 2, 3, 4, 5, 6`,
    `insert into ticket_messages (ticket_id, client_id, author_client_id, body)
       select id, client_id, client_id, 'What happens, and what was expected.' from tickets, generate_series(1, 2)`,
    'vacuum analyze',
  ]
  await withClient(connection, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}
