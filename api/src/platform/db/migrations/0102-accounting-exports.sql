-- Files for the accounts that staff asked for. The file itself is written while it is downloaded.
create table accounting_exports (
  id bigint generated always as identity primary key,
  admin_id bigint not null references admins,
  kind text not null check (kind ~ '^[a-z0-9_]{1,30}$'),
  -- Both days are part of the period.
  from_day date not null,
  to_day date not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounting_exports_period check (from_day <= to_day)
);
create index accounting_exports_by_kind on accounting_exports (kind, id);
create index accounting_exports_by_admin on accounting_exports (admin_id);
create trigger staff_note after insert or update or delete on accounting_exports for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

create index invoices_by_day on invoices (issue_date, id) where issued_at is not null and kind <> 'proforma';
create index invoices_by_tax_point on invoices (tax_point_date, id) where issued_at is not null and kind <> 'proforma';
create index ledger_transactions_by_day on ledger_transactions (effective_on, id);
