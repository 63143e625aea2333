import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'

/** How much there is. */
export type DeskYear = { readonly clients: number; readonly invoices: number }

/** Rows as the portal would have written them, without its triggers. */
const rowsOf = ({ clients, invoices }: DeskYear): readonly string[] => [
  'set session_replication_role = replica',
  `insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at, created_at)
    select 'client' || g || '@' || case when g <= 100 then 'bench.test' else (array['post.example', 'shop.example'])[1 + g % 2] end,
      (array['Ana', 'Dan', 'Ioana', 'Mihai', 'Elena', 'Radu', 'Ștefan', 'Marie', 'Jürgen', 'Kim', 'Sofia', 'Luca'])[1 + g % 12],
      (array['Pop', 'Ion', 'Țân', 'Mold', 'Bal', 'Stan', 'Mar', 'Dumitr', 'Kov', 'Schm', 'Ross', 'Lind', 'Ful'])[1 + g / 12 % 13]
        || (array['escu', 'eanu', 'ovici', 'ariu', 'ács', 'berg', 'ini', 'oglu', 'sen'])[1 + g / 156 % 9] || to_hex(g / 1404),
      1, (select id from currencies where code = 'USD'), 1, now(), now() - (g % 700) * interval '1 day'
    from generate_series(1, ${clients}) g`,
  `insert into projects (client_id, name) select id, 'Shop ' || id from clients`,
  `insert into plans (code, name_en, name_ro, kind, state) select 'p' || g, 'Plan ' || g, 'Plan ' || g, 'server', 'offered'
    from generate_series(1, 8) g`,
  `insert into price_lists (code, currency, is_default) values ('bench', 'USD', false)`,
  `insert into plan_prices (price_list_id, plan_id, valid, monthly) select l.id, p.id, '[2020-01-01,)', 5 + p.id
    from plans p, price_lists l where l.is_default and l.currency = 'USD'`,
  `insert into panel_engines (code, name, kind) values ('bench', 'Bench', 'simulated')`,
  `insert into panels (client_id, project_id, panel_engine_id, name, domain, external_id, status, region, sync_due_at, plan_id)
    select p.client_id, p.id, e.id, 'panel ' || to_hex(p.id * 7919), 'www.site' || p.id || '.example', p.id::text, 'active', 'eu', now() + interval '1 day', 1 + p.id % 8
    from projects p, panel_engines e where e.code = 'bench'`,
  `insert into panel_plans (panel_id, plan_id, during) select id, plan_id, tstzrange(now() - (id % 500 + 1) * interval '1 day', null)
    from panels`,
  `insert into ledger_accounts (code, client_id, kind, currency, live_balance, balance)
    select 'client:' || c.id || ':' || k.name, c.id, 'client_' || k.name, 'USD', true, case k.name when 'balance' then c.id % 90 - 10 else 0 end
    from clients c, (values ('balance'), ('credit'), ('vat_due')) k (name)`,
  `insert into account_balances (client_id, account_balance, negative_since)
    select id, id % 90 - 10, case when id % 90 < 10 then current_date - (id % 120)::int end from clients`,
  `insert into ledger_accounts (code, kind, currency) values ('psp:stripe:USD', 'psp_clearing', 'USD'),
    ('bank:USD', 'bank', 'USD'), ('revenue:usage:USD', 'revenue_usage', 'USD'), ('vat:RO:21:USD', 'vat_payable', 'USD')`,
  `insert into invoices (client_id, kind, reason, series_id, prefix, number, invoice_status_id, currency, issue_date, due_date,
      tax_point_date, seller, buyer, vat_treatment, vat_country, vat_rate, vat_evidence, net, vat, total, vat_groups,
      local_currency, vat_local, fx_rate, locale, issued_at, paid)
    select c.id, 'fiscal', 'advance', 1, 'B', g, case g % 20 when 3 then 2 when 4 then 5 else 4 end, 'USD', d.day, d.day, d.day, '{"country": "RO"}',
      jsonb_build_object('name', c.first_name || ' ' || c.last_name),
      'domestic', x.country, x.rate, '{}', 50, x.vat, 50 + x.vat,
      jsonb_build_array(jsonb_build_object('country', x.country, 'category', x.category, 'rate', x.rate, 'net', 50, 'vat', x.vat)),
      'RON', x.vat * 4.5, 4.5, 'en', d.day + interval '9 hours',
      case when g % 20 in (3, 4) then 0 else 50 + x.vat end
    from generate_series(1, ${invoices}) g join clients c on c.id = 1 + g % ${clients},
      lateral (select current_date - 364 + (g::bigint * 364 / ${invoices})::int as day) d,
      lateral (select case g % 10 when 0 then 'DE' when 1 then 'HU' else 'RO' end as country,
        case g % 10 when 0 then 19 when 1 then 27 when 2 then 0 else 21 end as rate,
        case g % 10 when 0 then 9.5 when 1 then 13.5 when 2 then 0 else 10.5 end as vat,
        case g % 10 when 2 then 'AE' else 'S' end as category) x`,
  `insert into ledger_transactions (idempotency_key, kind, client_id, currency, effective_on, created_at)
    select 'd' || id, 'deposit', client_id, 'USD', issue_date, issued_at from invoices order by id`,
  `insert into ledger_transactions (idempotency_key, kind, client_id, currency, effective_on, created_at)
    select 'u' || d || ':' || id, 'usage', id, 'USD', current_date - d, current_date - d + 1 from clients, (values (2), (1)) v (d)`,
  `insert into ledger_entries (transaction_id, account_id, currency, amount)
    select t.id, a.id, 'USD', a.amount from ledger_transactions t, lateral (
      select id, case when t.kind = 'usage' then -0.25 else 50 end as amount from ledger_accounts
        where client_id = t.client_id and kind = 'client_balance'
      union all select id, 0.25 from ledger_accounts where t.kind = 'usage' and code = 'revenue:usage:USD'
      union all select id, -60.5 from ledger_accounts where t.kind = 'deposit' and code = 'psp:stripe:USD'
      union all select id, 10.5 from ledger_accounts where t.kind = 'deposit' and code = 'vat:RO:21:USD') a`,
  `insert into billing_logs (client_id, period, description_key, date, kind, net, project_id)
    select p.client_id, to_char(m, 'YYYY-MM'), 'usage', m, 'usage', -(p.id % 50) - 1, p.id
    from generate_series(date_trunc('month', now()) - interval '13 months', now(), '1 month') m, projects p`,
  `insert into billing_logs (client_id, period, description_key, date, kind, net, ledger_transaction_id)
    select client_id, to_char(effective_on, 'YYYY-MM'), 'deposit', effective_on, 'deposit', 50, id
    from ledger_transactions where kind = 'deposit'`,
  `insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, currency, rated_amount, charged_amount)
    select p.client_id, p.project_id, p.id, r.ref, current_date - d, 'USD', 0.08, 0.08
    from panels p, (values (2), (1)) v (d), lateral (values ('plan/p' || p.plan_id), ('panel'), ('server/1')) r (ref)`,
  `insert into document_counts (issue_date, kind, invoice_status_id, currency, many, net, vat, total, open)
    select i.issue_date, i.kind, i.invoice_status_id, i.currency, count(*), sum(i.net), sum(i.vat), sum(i.total), sum(invoice_open(i))
    from invoices i group by 1, 2, 3, 4`,
  'vacuum analyze',
]

/** A year of clients with documents and payments in advance, by SQL. */
export async function makeDeskYear(connection: Connection, size: DeskYear): Promise<void> {
  await withClient(connection, async (client) => {
    for (const statement of rowsOf(size)) await client.query(statement)
  })
}
