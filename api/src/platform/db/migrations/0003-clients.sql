-- Account holders, who is billed for them, and what they hold.
create table clients (
  id bigint generated always as identity primary key,
  auth_id uuid unique,
  email citext not null unique check (length(email) <= 254),
  first_name varchar(80) not null,
  last_name varchar(80) not null,
  company_url varchar(200),
  language_id bigint not null references languages,
  currency_id bigint not null references currencies,
  status smallint not null default 2 check (status between 0 and 4),
  billing_status smallint not null default 0 check (billing_status between 0 and 6),
  two_fa_enabled smallint not null default 0 check (two_fa_enabled in (0, 1)),
  google_process smallint not null default 1 check (google_process in (0, 1)),
  email_verified_at timestamptz,
  current_project_id bigint,
  trial_ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on clients for each row execute function touch();

create table client_entities (
  id bigint generated always as identity primary key,
  client_id bigint not null unique references clients,
  company_name varchar(200),
  company_url varchar(200),
  account_type smallint not null default 2 check (account_type in (1, 2)),
  phone_number varchar(25),
  address1 varchar(150),
  address2 varchar(100),
  city varchar(50),
  state varchar(80),
  zip_code varchar(20),
  country_id bigint references countries,
  county_id bigint,
  vat_number varchar(20),
  commerce_code varchar(40),
  po_number varchar(200),
  billing_emails text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint county_needs_country check (county_id is null or country_id is not null),
  constraint county_of_country foreign key (county_id, country_id) references counties (id, country_id)
);
create trigger touch before update on client_entities for each row execute function touch();

-- Written by the ledger alone; until it stands, by the trial credit an account starts with.
create table account_balances (
  id bigint generated always as identity primary key,
  client_id bigint not null unique references clients,
  account_balance numeric(20, 6) not null default 0,
  credit_balance numeric(20, 6) not null default 0 check (credit_balance >= 0),
  -- UTC day on which account + credit went below zero; null while it is not.
  negative_since date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on account_balances for each row execute function touch();

create table admins (
  id bigint generated always as identity primary key,
  email citext not null unique,
  display_name varchar(80) not null,
  role text not null check (role in ('support', 'billing', 'admin', 'readonly')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on admins for each row execute function touch();

-- The billing state at a glance: computed, so that it cannot disagree with what it is computed from.
create view billing_profiles as
select c.id,
  c.id as client_id,
  cur.code as currency,
  coalesce(b.account_balance, 0) as account_balance,
  coalesce(b.credit_balance, 0) as credit_balance,
  coalesce((now() at time zone 'utc')::date - b.negative_since, 0) as negative_days,
  coalesce(
    e.address1 is not null and e.city is not null and e.zip_code is not null and e.country_id is not null
      and (e.account_type <> 1 or e.company_name is not null),
    false
  ) as billing_complete,
  c.trial_ends_at
from clients c
join currencies cur on cur.id = c.currency_id
left join account_balances b on b.client_id = c.id
left join client_entities e on e.client_id = c.id;
