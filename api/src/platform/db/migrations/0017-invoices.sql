-- Documents: who issues them, what VAT counts, how they are numbered, and that they stay as they were issued.

-- The operator as documents name it, one row. Without it nothing can be issued.
create table operator_profile (
  only_one boolean primary key default true check (only_one),
  legal_name varchar(200) not null,
  -- With the prefix of the country; null while the operator is not registered for VAT.
  vat_number varchar(20),
  -- What the tax office knows the operator by where that is another number.
  tax_number varchar(20) not null,
  commerce_code varchar(40),
  address1 varchar(150) not null,
  city varchar(50) not null,
  county_code text check (county_code ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
  zip_code varchar(20),
  country char(2) not null check (country ~ '^[A-Z]{2}$'),
  email varchar(254),
  phone varchar(25),
  website varchar(200),
  iban varchar(34),
  bank_name varchar(100),
  -- An SVG picture.
  logo text check (length(logo) <= 200000),
  -- Registered for the one-stop shop, or has chosen the rates of the buyers' countries.
  oss_registered boolean not null default false,
  -- What consumers elsewhere in the EU buy in a year before their own rates count, in `base_currency`: EUR 10 000.
  oss_threshold numeric(14, 2) not null default 46337 check (oss_threshold >= 0),
  -- What VAT is declared in; documents in another currency state it in this one too.
  base_currency char(3) not null default 'RON' check (base_currency ~ '^[A-Z]{3}$'),
  -- The day of a document is the day there.
  time_zone text not null default 'Europe/Bucharest',
  due_days int not null default 14 check (due_days between 0 and 365),
  proforma_days int not null default 15 check (proforma_days between 1 and 365),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on operator_profile for each row execute function touch();

-- Today where the operator is, by the business clock; null without an operator.
create function operator_today() returns date language sql stable as
  'select (clock_now() at time zone time_zone)::date from operator_profile';

-- Standard rates of VAT in percent. A region has a rate of its own within its country: the Azores, Madeira, and two valleys
-- of Austria that lead to Germany only.
create table vat_rates (
  id bigint generated always as identity primary key,
  country char(2) not null check (country ~ '^[A-Z]{2}$'),
  region text not null default '' check (region ~ '^[a-z]{0,20}$'),
  valid daterange not null check (not isempty(valid)),
  rate numeric(4, 2) not null check (rate between 0 and 50),
  constraint vat_rates_do_not_overlap exclude using gist (country with =, region with =, valid with &&)
);
insert into vat_rates (country, region, valid, rate) values
  ('RO', '', '[2017-01-01,2025-08-01)', 19), ('RO', '', '[2025-08-01,)', 21),
  ('EE', '', '[2024-01-01,2025-07-01)', 22), ('EE', '', '[2025-07-01,)', 24),
  ('SK', '', '[2011-01-01,2025-01-01)', 20), ('SK', '', '[2025-01-01,)', 23),
  ('FI', '', '[2024-09-01,)', 25.5), ('AT', '', '[2016-01-01,)', 20), ('BE', '', '[2016-01-01,)', 21),
  ('BG', '', '[2016-01-01,)', 20), ('CY', '', '[2016-01-01,)', 19), ('CZ', '', '[2016-01-01,)', 21),
  ('DE', '', '[2021-01-01,)', 19), ('DK', '', '[2016-01-01,)', 25), ('ES', '', '[2016-01-01,)', 21),
  ('FR', '', '[2016-01-01,)', 20), ('GR', '', '[2016-06-01,)', 24), ('HR', '', '[2016-01-01,)', 25),
  ('HU', '', '[2016-01-01,)', 27), ('IE', '', '[2021-03-01,)', 23), ('IT', '', '[2016-01-01,)', 22),
  ('LT', '', '[2016-01-01,)', 21), ('LU', '', '[2024-01-01,)', 17), ('LV', '', '[2016-01-01,)', 21),
  ('MT', '', '[2016-01-01,)', 18), ('NL', '', '[2016-01-01,)', 21), ('PL', '', '[2016-01-01,)', 23),
  ('PT', '', '[2016-01-01,)', 23), ('SE', '', '[2016-01-01,)', 25), ('SI', '', '[2016-01-01,)', 22),
  ('PT', 'azores', '[2021-07-01,)', 16), ('PT', 'madeira', '[2016-01-01,)', 22),
  ('AT', 'kleinwalsertal', '[2016-01-01,)', 19);

-- What the tax offices said of a number, each time that they were asked: the proof that a rate of nothing rests on.
create table vat_checks (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  -- With its prefix, as it was asked for.
  vat_number varchar(20) not null,
  status text not null check (status in ('valid', 'invalid', 'unavailable')),
  -- The reference that the office gave for its answer.
  request_identifier text,
  name text,
  address text,
  source text not null,
  checked_at timestamptz not null
);
create index vat_checks_of_number on vat_checks (client_id, vat_number, checked_at desc);

-- How much of `quote` one of `base` is. It counts from the day after it was published.
create table fx_rates (
  id bigint generated always as identity primary key,
  base char(3) not null check (base ~ '^[A-Z]{3}$'),
  quote char(3) not null check (quote ~ '^[A-Z]{3}$'),
  published_on date not null,
  rate numeric(14, 6) not null check (rate > 0),
  source text not null,
  fetched_at timestamptz not null default now(),
  unique (base, quote, published_on)
);

create table invoice_statuses (
  id bigint primary key,
  code text not null unique,
  name_en text not null,
  name_ro text not null
);
insert into invoice_statuses (id, code, name_en, name_ro) values
  (1, 'draft', 'Draft', 'Ciornă'),
  (2, 'unpaid', 'Unpaid', 'Neplătită'),
  (3, 'partially_paid', 'Partially paid', 'Plătită parțial'),
  (4, 'paid', 'Paid', 'Plătită'),
  (5, 'overdue', 'Overdue', 'Scadentă'),
  (6, 'cancelled', 'Cancelled', 'Anulată'),
  (7, 'expired', 'Expired', 'Expirată'),
  (8, 'refunded', 'Refunded', 'Rambursată');

create function invoice_status(p_code text) returns bigint language sql stable strict as
  'select id from invoice_statuses where code = p_code';

-- Numbers of fiscal documents. One series of a kind is in use at a time.
create table invoice_series (
  id bigint generated always as identity primary key,
  -- Short enough that a number still has a digit (BR-RO-010) and fits everywhere.
  prefix text not null unique check (prefix ~ '^[A-Z][A-Z0-9]{0,9}$'),
  kind text not null check (kind in ('fiscal', 'credit_note')),
  next_number bigint not null default 1 check (next_number > 0),
  last_issue_date date,
  active boolean not null default true,
  -- The operator's own decision that the series rests on.
  legal_decision text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index invoice_series_in_use on invoice_series (kind) where active;

create table proforma_series (
  id bigint generated always as identity primary key,
  prefix text not null unique check (prefix ~ '^[A-Z][A-Z0-9]{0,9}$'),
  next_number bigint not null default 1 check (next_number > 0),
  last_issue_date date,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index proforma_series_in_use on proforma_series (active) where active;

create table invoices (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  kind text not null check (kind in ('proforma', 'fiscal', 'credit_note')),
  reason text not null check (reason in ('advance', 'service_bill', 'manual', 'storno')),
  series_id bigint references invoice_series,
  proforma_series_id bigint references proforma_series,
  prefix text,
  number bigint,
  full_number text generated always as (prefix || '-' || number) stored,
  invoice_status_id bigint not null default 1 references invoice_statuses,
  currency char(3) not null check (currency ~ '^[A-Z]{3}$'),
  -- The operator's local day.
  issue_date date,
  due_date date,
  tax_point_date date,
  -- The UTC days that a bill is for, the last one excluded.
  period daterange,
  -- Who sells and who buys, as they were then (services/document-parties.ts).
  seller jsonb not null,
  buyer jsonb not null,
  -- How VAT was decided, and what that rests on (contract/src/rules/vat.ts).
  vat_treatment text not null,
  vat_country char(2) not null,
  vat_rate numeric(4, 2) not null,
  vat_evidence jsonb not null,
  net numeric(14, 2) not null,
  vat numeric(14, 2) not null,
  total numeric(14, 2) not null,
  -- By country, category and rate: [{"country", "category", "rate", "net", "vat"}], which sum up to the document's.
  vat_groups jsonb not null,
  -- What has been paid of it, and taken back by credit notes. Neither changes what the document says.
  paid numeric(14, 2) not null default 0,
  credited numeric(14, 2) not null default 0,
  -- How much of `local_currency` one of `currency` is, where VAT is declared in another.
  fx_rate numeric(14, 6),
  fx_date date,
  fx_source text,
  local_currency char(3) not null,
  vat_local numeric(14, 2) not null,
  -- What rounding to cents left of the use and of the credit on this bill, for the next one.
  usage_carry numeric(20, 6) not null default 0,
  credit_carry numeric(20, 6) not null default 0,
  notes text,
  proforma_id bigint unique references invoices,
  corrects_id bigint references invoices,
  po_number varchar(200),
  locale text not null check (locale in ('en', 'ro')),
  issued_at timestamptz,
  -- Where the documents are kept, and what they are: stored once, never made again.
  pdf_key text,
  pdf_sha256 text,
  xml_key text,
  xml_sha256 text,
  created_at timestamptz not null default clock_now(),
  updated_at timestamptz not null default clock_now(),
  constraint invoices_numbered_when_issued check ((issued_at is null) = (number is null)
    and (issued_at is null) = (issue_date is null) and (issued_at is null) = (prefix is null)
    and (issued_at is null) = (invoice_status_id = 1)),
  constraint invoices_of_a_series check (case when kind = 'proforma'
    then series_id is null and (number is null) = (proforma_series_id is null)
    else proforma_series_id is null and (number is null) = (series_id is null) end),
  constraint invoices_add_up check (total = net + vat),
  -- A bill may be below zero too: by VAT alone, where the rate fell between an advance and its use.
  constraint invoices_take_back check (kind <> 'credit_note' or total <= 0),
  constraint invoices_storno check ((kind = 'credit_note') = (corrects_id is not null)
    and (kind = 'credit_note') = (reason = 'storno')),
  constraint invoices_not_overpaid check (credited >= 0 and paid between least(total, 0) and greatest(total, 0)),
  constraint invoices_credited_at_most check (kind = 'credit_note' or credited <= greatest(total, 0)),
  constraint invoices_period check ((reason = 'service_bill') = (period is not null)),
  constraint invoices_stored check ((pdf_key is null) = (pdf_sha256 is null) and (xml_key is null) = (xml_sha256 is null))
);
create unique index invoices_numbers on invoices (series_id, number) where series_id is not null;
create unique index proforma_numbers on invoices (proforma_series_id, number) where proforma_series_id is not null;
-- What bills a month once, however often it is closed.
create unique index invoices_of_month on invoices (client_id, period, reason)
  where reason = 'service_bill' and kind = 'fiscal';
create index invoices_by_date on invoices (client_id, issue_date, id) where issued_at is not null;
create index invoices_by_number on invoices (client_id, number, id) where issued_at is not null;
create index invoices_by_total on invoices (client_id, total, id) where issued_at is not null;
create index invoices_unpaid on invoices (client_id, due_date) where invoice_status_id in (2, 3, 5);
create index invoices_due on invoices (due_date) where invoice_status_id in (2, 3);
create index invoices_of_sales on invoices (vat_treatment, tax_point_date) where kind <> 'proforma';
create index invoices_correcting on invoices (corrects_id) where corrects_id is not null;
create index invoices_without_pdf on invoices (id) where issued_at is not null and pdf_key is null;

create table invoice_lines (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices on delete cascade,
  position int not null check (position > 0),
  kind text not null check (kind in ('usage', 'advance', 'advance_regularisation', 'discount', 'manual')),
  description_en text not null,
  description_ro text not null,
  -- What is taken off has a quantity below zero: a price must not (BR-27).
  quantity numeric(20, 6) not null check (quantity <> 0),
  unit_code text not null default 'C62' check (unit_code ~ '^[A-Z0-9]{2,3}$'),
  unit_price numeric(20, 10) not null check (unit_price >= 0),
  net numeric(14, 2) not null,
  vat_category text not null check (vat_category in ('S', 'AE', 'O')),
  vat_country char(2) not null,
  vat_rate numeric(4, 2) not null check (vat_rate >= 0),
  project_id bigint references projects,
  panel_id bigint references panels,
  -- The advance that a line takes into account.
  ref_invoice_id bigint references invoices,
  unique (invoice_id, position),
  constraint invoice_lines_add_up check (net = round(quantity * unit_price, 2))
);
create index invoice_lines_of_project on invoice_lines (project_id, invoice_id) where project_id is not null;
create index invoice_lines_of_panel on invoice_lines (panel_id, invoice_id) where panel_id is not null;

-- What of an advance has been used up, by which document; the oldest first. Never more than it was.
create table advance_consumptions (
  advance_id bigint not null references invoices,
  invoice_id bigint not null references invoices,
  amount numeric(14, 2) not null check (amount > 0),
  created_at timestamptz not null default clock_now(),
  primary key (advance_id, invoice_id)
);
create index advance_consumptions_of_invoice on advance_consumptions (invoice_id);

create function advance_not_overdrawn() returns trigger language plpgsql as $$
declare
  v_net numeric;
begin
  select net into v_net from invoices where id = new.advance_id and kind = 'fiscal' and reason = 'advance' for no key update;
  if v_net is null or v_net < (select sum(amount) from advance_consumptions where advance_id = new.advance_id) then
    raise exception 'advance_overdrawn: more of advance % is used than there was', new.advance_id using errcode = '23514',
      constraint = 'advance_not_overdrawn';
  end if;
  return null;
end $$;
create trigger not_overdrawn after insert on advance_consumptions for each row execute function advance_not_overdrawn();

-- What of a day's use is on a bill, and on which.
alter table usage_charges add column service_bill_id bigint references invoices;
create index usage_charges_unbilled on usage_charges (client_id, usage_on) where service_bill_id is null;
alter table usages add column billed_amount numeric(20, 6) not null default 0,
  add column service_bill_id bigint references invoices;
create index usages_of_bill on usages (service_bill_id) where service_bill_id is not null;

-- Gives a draft its number and its day, by the series of its kind that is in use. The lock on the series is held until the
-- commit: numbers are taken in the order of commits, a rollback gives the number back, and days never go backwards. Answers
-- the number.
create function invoice_issue(p_id bigint, p_on date, p_status text) returns text language plpgsql as $$
declare
  v_invoice invoices;
  v_prefix text;
  v_series bigint;
  v_number bigint;
  v_net numeric;
  v_full text;
begin
  select * into v_invoice from invoices where id = p_id for update;
  if not found or v_invoice.issued_at is not null then
    raise exception 'invoice_issued: document % is issued or not there', p_id using errcode = 'IN001';
  end if;
  select sum(net) into v_net from invoice_lines where invoice_id = p_id;
  if v_net is distinct from v_invoice.net
    or (select row(sum((g ->> 'net')::numeric), sum((g ->> 'vat')::numeric)) from jsonb_array_elements(v_invoice.vat_groups) g)
      is distinct from row(v_invoice.net, v_invoice.vat)
  then
    raise exception 'invoice_sums: document % does not add up', p_id using errcode = '23514';
  end if;
  if v_invoice.kind = 'proforma' then
    update proforma_series set next_number = next_number + 1, last_issue_date = p_on
      where active and coalesce(last_issue_date <= p_on, true)
      returning id, prefix, next_number - 1 into v_series, v_prefix, v_number;
  else
    update invoice_series set next_number = next_number + 1, last_issue_date = p_on
      where active and kind = v_invoice.kind and coalesce(last_issue_date <= p_on, true)
      returning id, prefix, next_number - 1 into v_series, v_prefix, v_number;
  end if;
  if v_number is null then
    raise exception 'invoice_series_closed: no series of % takes the day %', v_invoice.kind, p_on using errcode = 'IN002';
  end if;
  update invoices set prefix = v_prefix, number = v_number, issue_date = p_on, issued_at = clock_now(),
      invoice_status_id = invoice_status(p_status),
      series_id = case when kind <> 'proforma' then v_series end,
      proforma_series_id = case when kind = 'proforma' then v_series end
    where id = p_id returning full_number into v_full;
  return v_full;
end $$;

-- What was issued stays as it is. What became of it (paid, credited, its state) and where its files are may follow, the
-- latter once. The number in full is made of its parts after this trigger, and so is not compared.
create function invoice_guard() returns trigger language plpgsql as $$
declare
  v_follows text[] := '{paid,credited,invoice_status_id,pdf_key,pdf_sha256,xml_key,xml_sha256,updated_at,full_number}';
begin
  if tg_op = 'INSERT' then
    if new.issued_at is not null then
      raise exception 'invoice_issued: a document is issued by invoice_issue' using errcode = 'IN001';
    end if;
    return new;
  end if;
  if old.issued_at is null then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - v_follows) is distinct from (to_jsonb(old) - v_follows)
    or (old.pdf_key is not null and (new.pdf_key, new.pdf_sha256) is distinct from (old.pdf_key, old.pdf_sha256))
    or (old.xml_key is not null and (new.xml_key, new.xml_sha256) is distinct from (old.xml_key, old.xml_sha256))
  then
    raise exception 'invoice_immutable: document % was issued', old.full_number using errcode = '55000';
  end if;
  return new;
end $$;
create trigger guard before insert or update or delete on invoices for each row execute function invoice_guard();
create trigger guard_whole before truncate on invoices for each statement execute function ledger_refuse();
create trigger touch before update on invoices for each row
  when (old.paid <> new.paid or old.credited <> new.credited or old.invoice_status_id <> new.invoice_status_id)
  execute function touch();

create function invoice_line_guard() returns trigger language plpgsql as $$
begin
  if (tg_op <> 'INSERT' and exists (select from invoices where id = old.invoice_id and issued_at is not null))
    or (tg_op <> 'DELETE' and exists (select from invoices where id = new.invoice_id and issued_at is not null))
  then
    raise exception 'invoice_immutable: the lines of an issued document stay' using errcode = '55000';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger guard before insert or update or delete on invoice_lines
  for each row execute function invoice_line_guard();
create trigger guard_whole before truncate on invoice_lines for each statement execute function ledger_refuse();

-- A number that was given is not given again.
create function series_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.next_number = 1 then return old; end if;
  elsif old.next_number = 1 or (new.prefix = old.prefix and new.next_number between old.next_number and old.next_number + 1
    and coalesce(new.last_issue_date >= old.last_issue_date, old.last_issue_date is null))
  then
    return new;
  end if;
  raise exception 'series_used: series % has given numbers', old.prefix using errcode = '55000';
end $$;
create trigger guard before update or delete on invoice_series for each row execute function series_guard();
create trigger guard before update or delete on proforma_series for each row execute function series_guard();
