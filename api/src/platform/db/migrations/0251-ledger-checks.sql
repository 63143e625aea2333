-- expand
-- Verifications of the ledger: those of each night, and those that an administrator asks for.
create table ledger_checks (
  id bigint generated always as identity primary key,
  -- Who asked; null: nobody, it is that of a night.
  admin_id bigint references admins,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'failed')),
  -- How many differences were found.
  differences int,
  -- The first of them: what was compared, the row, and the stored and the computed value.
  found jsonb not null default '[]' check (jsonb_typeof(found) = 'array'),
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ledger_checks_done check ((status = 'done') = (differences is not null)),
  constraint ledger_checks_finished check ((status = 'waiting') = (finished_at is null))
);
create index ledger_checks_by_admin on ledger_checks (admin_id);
-- One at a time.
create unique index ledger_checks_once on ledger_checks (status) where status = 'waiting';
create trigger touch before update on ledger_checks for each row execute function touch();
create trigger staff_note after insert or update or delete on ledger_checks for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
