-- Documents that are sent to the tax office, and the access to it.
create table public_holidays (
  country text not null references countries (code),
  day date not null,
  primary key (country, day)
);
-- Codul muncii, art. 139; Easter and Pentecost as the Orthodox Church keeps them.
insert into public_holidays (country, day) values
  ('RO', '2025-01-01'), ('RO', '2025-01-02'), ('RO', '2025-01-06'), ('RO', '2025-01-07'), ('RO', '2025-01-24'), ('RO', '2025-04-18'),
  ('RO', '2025-04-20'), ('RO', '2025-04-21'), ('RO', '2025-05-01'), ('RO', '2025-06-01'), ('RO', '2025-06-08'), ('RO', '2025-06-09'),
  ('RO', '2025-08-15'), ('RO', '2025-11-30'), ('RO', '2025-12-01'), ('RO', '2025-12-25'), ('RO', '2025-12-26'),
  ('RO', '2026-01-01'), ('RO', '2026-01-02'), ('RO', '2026-01-06'), ('RO', '2026-01-07'), ('RO', '2026-01-24'), ('RO', '2026-04-10'),
  ('RO', '2026-04-12'), ('RO', '2026-04-13'), ('RO', '2026-05-01'), ('RO', '2026-05-31'), ('RO', '2026-06-01'), ('RO', '2026-08-15'),
  ('RO', '2026-11-30'), ('RO', '2026-12-01'), ('RO', '2026-12-25'), ('RO', '2026-12-26'),
  ('RO', '2027-01-01'), ('RO', '2027-01-02'), ('RO', '2027-01-06'), ('RO', '2027-01-07'), ('RO', '2027-01-24'), ('RO', '2027-04-30'),
  ('RO', '2027-05-01'), ('RO', '2027-05-02'), ('RO', '2027-05-03'), ('RO', '2027-06-01'), ('RO', '2027-06-20'), ('RO', '2027-06-21'),
  ('RO', '2027-08-15'), ('RO', '2027-11-30'), ('RO', '2027-12-01'), ('RO', '2027-12-25'), ('RO', '2027-12-26'),
  ('RO', '2028-01-01'), ('RO', '2028-01-02'), ('RO', '2028-01-06'), ('RO', '2028-01-07'), ('RO', '2028-01-24'), ('RO', '2028-04-14'),
  ('RO', '2028-04-16'), ('RO', '2028-04-17'), ('RO', '2028-05-01'), ('RO', '2028-06-01'), ('RO', '2028-06-04'), ('RO', '2028-06-05'),
  ('RO', '2028-08-15'), ('RO', '2028-11-30'), ('RO', '2028-12-01'), ('RO', '2028-12-25'), ('RO', '2028-12-26'),
  ('RO', '2029-01-01'), ('RO', '2029-01-02'), ('RO', '2029-01-06'), ('RO', '2029-01-07'), ('RO', '2029-01-24'), ('RO', '2029-04-06'),
  ('RO', '2029-04-08'), ('RO', '2029-04-09'), ('RO', '2029-05-01'), ('RO', '2029-05-27'), ('RO', '2029-05-28'), ('RO', '2029-06-01'),
  ('RO', '2029-08-15'), ('RO', '2029-11-30'), ('RO', '2029-12-01'), ('RO', '2029-12-25'), ('RO', '2029-12-26'),
  ('RO', '2030-01-01'), ('RO', '2030-01-02'), ('RO', '2030-01-06'), ('RO', '2030-01-07'), ('RO', '2030-01-24'), ('RO', '2030-04-26'),
  ('RO', '2030-04-28'), ('RO', '2030-04-29'), ('RO', '2030-05-01'), ('RO', '2030-06-01'), ('RO', '2030-06-16'), ('RO', '2030-06-17'),
  ('RO', '2030-08-15'), ('RO', '2030-11-30'), ('RO', '2030-12-01'), ('RO', '2030-12-25'), ('RO', '2030-12-26'),
  ('RO', '2031-01-01'), ('RO', '2031-01-02'), ('RO', '2031-01-06'), ('RO', '2031-01-07'), ('RO', '2031-01-24'), ('RO', '2031-04-11'),
  ('RO', '2031-04-13'), ('RO', '2031-04-14'), ('RO', '2031-05-01'), ('RO', '2031-06-01'), ('RO', '2031-06-02'), ('RO', '2031-08-15'),
  ('RO', '2031-11-30'), ('RO', '2031-12-01'), ('RO', '2031-12-25'), ('RO', '2031-12-26'),
  ('RO', '2032-01-01'), ('RO', '2032-01-02'), ('RO', '2032-01-06'), ('RO', '2032-01-07'), ('RO', '2032-01-24'), ('RO', '2032-04-30'),
  ('RO', '2032-05-01'), ('RO', '2032-05-02'), ('RO', '2032-05-03'), ('RO', '2032-06-01'), ('RO', '2032-06-20'), ('RO', '2032-06-21'),
  ('RO', '2032-08-15'), ('RO', '2032-11-30'), ('RO', '2032-12-01'), ('RO', '2032-12-25'), ('RO', '2032-12-26'),
  ('RO', '2033-01-01'), ('RO', '2033-01-02'), ('RO', '2033-01-06'), ('RO', '2033-01-07'), ('RO', '2033-01-24'), ('RO', '2033-04-22'),
  ('RO', '2033-04-24'), ('RO', '2033-04-25'), ('RO', '2033-05-01'), ('RO', '2033-06-01'), ('RO', '2033-06-12'), ('RO', '2033-06-13'),
  ('RO', '2033-08-15'), ('RO', '2033-11-30'), ('RO', '2033-12-01'), ('RO', '2033-12-25'), ('RO', '2033-12-26'),
  ('RO', '2034-01-01'), ('RO', '2034-01-02'), ('RO', '2034-01-06'), ('RO', '2034-01-07'), ('RO', '2034-01-24'), ('RO', '2034-04-07'),
  ('RO', '2034-04-09'), ('RO', '2034-04-10'), ('RO', '2034-05-01'), ('RO', '2034-05-28'), ('RO', '2034-05-29'), ('RO', '2034-06-01'),
  ('RO', '2034-08-15'), ('RO', '2034-11-30'), ('RO', '2034-12-01'), ('RO', '2034-12-25'), ('RO', '2034-12-26'),
  ('RO', '2035-01-01'), ('RO', '2035-01-02'), ('RO', '2035-01-06'), ('RO', '2035-01-07'), ('RO', '2035-01-24'), ('RO', '2035-04-27'),
  ('RO', '2035-04-29'), ('RO', '2035-04-30'), ('RO', '2035-05-01'), ('RO', '2035-06-01'), ('RO', '2035-06-17'), ('RO', '2035-06-18'),
  ('RO', '2035-08-15'), ('RO', '2035-11-30'), ('RO', '2035-12-01'), ('RO', '2035-12-25'), ('RO', '2035-12-26');

-- The two systems of the office. Tokens are sealed.
create table tax_offices (
  id bigint generated always as identity primary key,
  environment text not null unique check (environment in ('test', 'prod')),
  -- By the configuration of the last start.
  in_use boolean not null default false,
  is_on boolean not null default false,
  from_day date,
  -- A person's authorisation that is under way.
  asked_hash bytea,
  asked_by bigint references admins,
  asked_until timestamptz,
  access_sealed bytea,
  access_ends_at timestamptz,
  refresh_sealed bytea,
  refresh_ends_at timestamptz,
  refreshing_until timestamptz,
  searched_at timestamptz,
  -- Calls that failed one after another; after some of them sending pauses.
  failures int not null default 0,
  paused_until timestamptz,
  problem text,
  said text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tax_offices_on check (not is_on or from_day is not null)
);
create unique index tax_offices_in_use on tax_offices (in_use) where in_use;
create index tax_offices_by_asker on tax_offices (asked_by) where asked_by is not null;
insert into tax_offices (environment) values ('test'), ('prod');

create table e_invoices (
  id bigint generated always as identity primary key,
  environment text not null references tax_offices (environment),
  invoice_id bigint not null references invoices,
  client_id bigint not null references clients,
  -- The last working day on which it may be sent.
  due_on date not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'accepted', 'rejected', 'unknown')),
  -- The process that sends it; after the end of its lease nobody knows whether it did.
  owner uuid,
  lease_until timestamptz,
  begun_at timestamptz,
  xml_sha256 char(64),
  upload_index text,
  is_index_typed boolean not null default false,
  outcome text check (outcome in ('ok', 'nok')),
  download_id text,
  tries int not null default 0,
  next_at timestamptz not null default now(),
  -- Why it waits or is not known: the kind of failure, and the words of the office.
  problem text,
  said text,
  searched_at timestamptz,
  settled_at timestamptz,
  signed_key text,
  signed_sha256 char(64),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint e_invoices_once unique (environment, invoice_id),
  constraint e_invoices_index unique (environment, upload_index),
  constraint e_invoices_sending check (state <> 'sending' or (owner is not null and lease_until is not null)),
  constraint e_invoices_index_known check ((upload_index is not null) or state not in ('sent', 'accepted')),
  constraint e_invoices_accepted check (state <> 'accepted' or (signed_key is not null and settled_at is not null))
);
create index e_invoices_by_invoice on e_invoices (invoice_id);
create index e_invoices_by_client on e_invoices (client_id);
create index e_invoices_by_state on e_invoices (environment, state, next_at);
create index e_invoices_open on e_invoices (due_on) where state in ('waiting', 'sending', 'unknown');

-- What the office has in its lists, so that each message is downloaded once.
create table tax_office_messages (
  environment text not null references tax_offices (environment),
  message_id text not null,
  upload_index text not null,
  full_number text,
  issue_date date,
  total numeric(16, 2),
  currency char(3),
  created_at timestamptz not null default now(),
  primary key (environment, message_id)
);
create index tax_office_messages_by_number on tax_office_messages (environment, full_number);

-- Calls by the start of their minute or day, for the limits of the office.
create table tax_office_calls (
  kind text not null,
  about text not null,
  since timestamptz not null,
  calls int not null,
  primary key (kind, about, since)
);
create index tax_office_calls_by_age on tax_office_calls (since);

create index invoices_by_issue_date on invoices (issue_date) where xml_key is not null;

create function e_invoice_guard() returns trigger language plpgsql as 'begin return new; end';
create trigger e_invoice_guard before update or delete on e_invoices for each row execute function e_invoice_guard();
create trigger touch before update on tax_offices for each row execute function touch();
create trigger touch before update on e_invoices for each row execute function touch();
create trigger staff_note after insert or update or delete on tax_offices for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update or delete on e_invoices for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
