import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'

/** How many tickets there are, and how many members of staff read all of it. */
export type DeskRest = { readonly tickets: number; readonly staff: number }

const invoiced = `from invoices i, lateral (select case when i.id % 20 = 0 then 'failed' when i.id % 2000 = 1 then 'processing'
  else 'succeeded' end as status) s`

/** What else the desk lists and searches, for each client of `makeDeskYear`; without triggers, as there. */
const rowsOf = ({ tickets, staff }: DeskRest): readonly string[] => [
  'set session_replication_role = replica',
  `insert into client_entities (client_id, company_name, vat_number, country_id)
    select id, (array['Lumen', 'Nordic', 'Cedru', 'Albatros', 'Vega', 'Quercus', 'Delta', 'Zimbru'])[1 + id % 8] || ' '
      || (array['Studio', 'Media', 'Logistics', 'Soft', 'Retail'])[1 + id / 8 % 5] || ' ' || to_hex(id) || ' SRL',
      'RO' || 10000000 + id, 1 from clients where id % 2 = 0`,
  `insert into panel_resources (panel_id, kind, external_id, name, status, last_seen_at, spec)
    select p.id, k.kind, k.kind, case k.kind when 'domain' then 'mail.site' || p.id || '.example' else 'srv-' || to_hex(p.id) end,
      'running', now(), case k.kind when 'server' then jsonb_build_object('ipv4',
        '10.' || p.id / 65536 || '.' || p.id / 256 % 256 || '.' || p.id % 256) else '{}' end
    from panels p, (values ('server'), ('domain')) k (kind)`,
  `insert into cards (client_id, provider, customer_ref, provider_ref, brand, last4, exp_month, exp_year, fingerprint)
    select id, 'stripe', 'cus_' || id, 'pm_' || id, 'visa', lpad((id % 10000)::text, 4, '0'), 12, 2030, 'f' || id from clients`,
  `insert into payments (client_id, card_id, purpose, method, provider, provider_ref, currency, net, vat, gross, vat_treatment,
      vat_country, vat_rate, status, created_at, settled_at)
    select i.client_id, i.client_id, 'deposit', 'card', 'stripe', 'pi_' || md5(i.id::text), i.currency, i.net, i.vat, i.total,
      i.vat_treatment, i.vat_country, i.vat_rate, s.status, i.issued_at, case s.status when 'succeeded' then i.issued_at end
    ${invoiced}`,
  `insert into payment_counts (created_at, status, many)
    select date_trunc('day', created_at, 'UTC'), status, count(*) from payments group by 1, 2`,
  // One in ten is still open.
  `insert into tickets (number, client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, priority, subject,
      client_unread, first_response_due, closed_at, last_message_at, created_at)
    select 'T-' || lpad(n::text, 8, '0'), p.client_id, p.client_id, p.id, 1 + n % 4, case when n % 10 = 0 then 1 + n / 10 % 4 else 6 end,
      1 + n % 4, (array['Disk', 'Mail', 'Invoice', 'Certificate', 'Backup'])[1 + n % 5] || ' ' || n || ' of ' || p.name,
      n % 7 = 0, now(), case when n % 10 > 0 then now() end, now() - n * interval '3 minutes', now() - n * interval '3 minutes'
    from generate_series(1, ${tickets}) n join panels p on p.id = 1 + n % (select count(*) from panels)`,
  `insert into ticket_counts (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, many)
    select client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, count(*)
    from tickets group by 1, 2, 3, 4, 5, 6`,
  `insert into ticket_messages (ticket_id, client_id, author_client_id, body)
    select id, client_id, client_id, 'What happens, and what was expected.' from tickets, generate_series(1, 2)`,
  `insert into outbox_letters (message_id, recipient, kind, language, attempts, created_at, send_at, sent_at, failed_at, last_error)
    select gen_random_uuid(), c.email, 'ticket_answered', 'en', 1, w.at, w.at, case when c.id % 100 > 0 then w.at end,
      case when c.id % 100 = 0 then w.at end, case when c.id % 100 = 0 then '550 unknown' end
    from clients c, generate_series(1, 2) n, lateral (select now() - (c.id % 90) * interval '1 day' as at) w`,
  // Their queue is busy elsewhere: nothing of it runs while lists are read.
  `select graphile_worker.add_job('bench', json_build_object('panelId', n), run_at := now() + interval '1 day')
    from generate_series(1, 2000) n`,
  `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'The engine does not answer.'
    where id % 2 = 0`,
  `insert into admins (email, display_name, role, totp_required)
    select email, 'Staff ' || id, 'admin', false from clients where id <= ${staff}`,
  `insert into staff_actions (at, admin_id, verb, type, ref, client_id, reason, request_id)
    select now() - c.id * interval '4 minutes', 1 + c.id % ${staff}, 'goodwill', 'desk-clients', c.id, c.id,
      'Outage of day ' || c.id % 300, 'bench' || c.id from clients c, generate_series(1, 2)`,
  `insert into staff_action_changes (action_id, table_name, row_id, op, after)
    select id, 'clients', client_id, 'update', '{"status": 1}' from staff_actions`,
  'vacuum analyze',
]

/** Tickets, payments, letters, jobs, the log and what a search finds; the first clients become members of staff. */
export async function makeDeskRest(connection: Connection, size: DeskRest): Promise<void> {
  await withClient(connection, async (client) => {
    for (const statement of rowsOf(size)) await client.query(statement)
  })
}
