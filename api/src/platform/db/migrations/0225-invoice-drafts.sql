-- expand
-- Invoices that staff prepare. A draft has no number and no effect, and is gone once it is issued.
create table invoice_drafts (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  admin_id bigint not null references admins,
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) between 1 and 50),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on invoice_drafts (client_id);
create index on invoice_drafts (admin_id);
create trigger touch before update on invoice_drafts for each row execute function touch();
create trigger staff_note after insert or update or delete on invoice_drafts for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
