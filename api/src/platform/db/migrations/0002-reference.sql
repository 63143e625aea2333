-- Reference data: read by every signed-in person, written by the operator.
create extension if not exists citext;

create function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

create table languages (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z]{2}$')
);
insert into languages (code) values ('en'), ('ro');

create table currencies (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z]{3}$'),
  name text not null,
  symbol text not null,
  decimals smallint not null check (decimals between 0 and 4)
);
insert into currencies (code, name, symbol, decimals) values
  ('USD', 'US dollar', '$', 2),
  ('EUR', 'Euro', '€', 2),
  ('RON', 'Romanian leu', 'lei', 2);

create table countries (
  id bigint generated always as identity primary key,
  -- Sorted as its readers expect: Å beside A, Ț after T. No index holds these, so a newer ICU needs no rebuild.
  name text collate "en-x-icu" not null,
  name_ro text collate "ro-x-icu" not null,
  code text not null unique check (code ~ '^[A-Z]{2}$'),
  -- International prefix without the plus, as libphonenumber lists it.
  dial_code text not null check (dial_code ~ '^[0-9]{1,4}$'),
  is_eu boolean not null default false,
  vat_prefix text
);

create table counties (
  id bigint generated always as identity primary key,
  country_id bigint not null references countries,
  code text not null unique check (code ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
  name text collate "ro-x-icu" not null,
  -- Lets an address name both, and be refused when they do not belong together.
  unique (id, country_id)
);
create index on counties (country_id);
