-- expand
-- The billing details that a client had until a moment of the business clock, kept when what VAT depends on changed. Without a
-- row the present ones count as of always, so that details of before this need none.
create table former_billing_details (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  until timestamptz not null,
  account_type smallint not null,
  company_name varchar(200),
  address1 varchar(150),
  address2 varchar(100),
  city varchar(50),
  state varchar(80),
  zip_code varchar(20),
  country_id bigint references countries,
  county_id bigint references counties,
  vat_number varchar(20),
  registration_number varchar(20),
  commerce_code varchar(40),
  created_at timestamptz not null default now(),
  -- Of several changes in one transaction the first one left what others saw.
  constraint former_billing_details_once unique (client_id, until)
);

-- Its text is in db/functions; until that is applied, nothing is kept.
create function former_details_keep() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger former_details_keep after update of account_type, country_id, zip_code, vat_number on client_entities for each row
  when ((old.account_type, old.country_id, old.zip_code, old.vat_number)
    is distinct from (new.account_type, new.country_id, new.zip_code, new.vat_number))
  execute function former_details_keep();
