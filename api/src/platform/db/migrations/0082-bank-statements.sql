-- Statements of the operator's bank account, and the money that came by them.
create table bank_statements (
  id bigint generated always as identity primary key,
  filename text not null,
  format text not null check (format in ('camt053', 'mt940', 'csv')),
  -- The same bytes are the same statement.
  sha256 bytea not null unique,
  iban varchar(34) not null,
  currency char(3) not null,
  from_day date,
  to_day date,
  lines int not null,
  imported int not null default 0,
  total numeric(16, 2) not null default 0,
  admin_id bigint not null references admins,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index bank_statements_by_admin on bank_statements (admin_id);

create table bank_lines (
  id bigint generated always as identity primary key,
  statement_id bigint not null references bank_statements,
  iban varchar(34) not null,
  -- What the bank calls it, or a fingerprint: once for ever.
  reference text not null,
  booked_on date not null,
  amount numeric(14, 2) not null check (amount > 0),
  currency char(3) not null,
  payer_name text,
  payer_iban varchar(34),
  text text not null,
  is_reversal boolean not null,
  state text not null default 'open' check (state in ('open', 'matched', 'ignored', 'returned')),
  match text not null default 'none' check (match in ('certain', 'likely', 'none')),
  -- [{"client": id, "invoice": id or null, "signs": [...]}], best first.
  candidates jsonb not null default '[]',
  problem text,
  client_id bigint references clients,
  payment_id bigint references payments,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_lines_once unique (iban, reference),
  constraint bank_lines_matched check ((state = 'matched') = (payment_id is not null and client_id is not null))
);
create index bank_lines_by_statement on bank_lines (statement_id, id);
create index bank_lines_by_state on bank_lines (state, match, id);
create index bank_lines_by_payer on bank_lines (payer_iban) where state = 'matched';
create index bank_lines_by_client on bank_lines (client_id) where client_id is not null;
create unique index bank_lines_of_payment on bank_lines (payment_id) where payment_id is not null;

-- The meaning of the columns of a bank's CSV, by its headings.
create table bank_csv_columns (
  headings text primary key,
  columns jsonb not null,
  updated_at timestamptz not null default now()
);

-- The line that a payment took out of the suspense account; null where staff recorded it from the paper.
alter table payments add column bank_line_id bigint references bank_lines;
create index payments_by_bank_line on payments (bank_line_id) where bank_line_id is not null;

create trigger staff_note after insert or update or delete on bank_statements for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update or delete on bank_csv_columns for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
-- Lines arrive by the thousand with a statement that is noted, and proposals are no decisions of a person.
create trigger staff_note after update on bank_lines for each row
  when (nullif(current_setting('portico.staff', true), '') is not null and old.state is distinct from new.state)
  execute function staff_note();

-- Money at the bank of which it is not decided whose it is.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in ('client_balance', 'client_credit',
  'client_vat_due', 'psp_clearing', 'bank', 'suspense', 'revenue_usage', 'revenue_other', 'vat_payable', 'promo_expense',
  'goodwill', 'chargeback', 'writeoff', 'psp_fees', 'opening', 'adjustment'));

create trigger touch before update on bank_statements for each row execute function touch();
create trigger touch before update on bank_lines for each row execute function touch();
create trigger touch before update on bank_csv_columns for each row execute function touch();
