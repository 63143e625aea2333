-- expand
-- Electronic invoices that were made again: the file that was replaced, and what became of its sending.
create table replaced_e_invoices (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices,
  environment text not null references tax_offices (environment),
  xml_key text not null,
  xml_sha256 char(64) not null,
  due_on date not null,
  begun_at timestamptz,
  upload_index text,
  outcome text,
  download_id text,
  problem text,
  said text,
  settled_at timestamptz not null,
  signed_key text,
  signed_sha256 char(64),
  created_at timestamptz not null default now(),
  constraint replaced_e_invoices_index unique (environment, upload_index)
);
create index replaced_e_invoices_by_invoice on replaced_e_invoices (invoice_id);
create function replaced_e_invoice_frozen() returns trigger language plpgsql as 'begin return new; end';
create trigger frozen before update or delete on replaced_e_invoices for each row execute function replaced_e_invoice_frozen();
create trigger never_emptied before truncate on replaced_e_invoices for each statement execute function replaced_e_invoice_frozen();
create trigger staff_note after insert or update or delete on replaced_e_invoices for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
