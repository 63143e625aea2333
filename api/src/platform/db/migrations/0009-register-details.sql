-- What each account holder told at registration, and what they agreed to: when, from where, and to which version. A record
-- of that moment: what is true now is in clients and client_entities.
create table register_details (
  id bigint generated always as identity primary key,
  client_id bigint not null unique references clients on delete cascade,
  first_name varchar(80) not null,
  last_name varchar(80) not null,
  account_type smallint not null check (account_type in (1, 2)),
  company_name varchar(200),
  vat_number varchar(20),
  commerce_code varchar(40),
  phone_number varchar(25),
  address1 varchar(150),
  address2 varchar(100),
  city varchar(50),
  state varchar(80),
  zip_code varchar(20),
  country_id bigint references countries,
  county_id bigint,
  terms_version varchar(20) not null,
  terms_accepted_at timestamptz not null,
  privacy_accepted_at timestamptz not null,
  marketing_consent boolean not null,
  source text not null check (source in ('email', 'google', 'invitation')),
  ip inet,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint register_company_has_name check (account_type <> 1 or company_name is not null),
  constraint register_county_needs_country check (county_id is null or country_id is not null),
  constraint register_county_of_country foreign key (county_id, country_id) references counties (id, country_id)
);
create trigger touch before update on register_details for each row execute function touch();
