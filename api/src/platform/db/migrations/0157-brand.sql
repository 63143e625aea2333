-- expand
-- How the portal looks to customers; one row. The logo is in the database, so that every replica and every backup has it.
create table brands (
  id bigint generated always as identity primary key,
  only_one boolean not null default true unique check (only_one),
  name varchar(40) check (name <> ''),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  legal_en varchar(500),
  legal_ro varchar(500),
  letters_en varchar(500),
  letters_ro varchar(500),
  logo bytea check (length(logo) between 1 and 262144),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  logo_sha256 text,
  logo_width int check (logo_width > 0),
  logo_height int check (logo_height > 0),
  logo_prints boolean not null default false,
  -- Grows with each change, so that every process notices it.
  version int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nulls(logo, logo_type, logo_sha256, logo_width, logo_height) in (0, 5))
);

create trigger touch before update on brands for each row execute function touch();
create trigger staff_note after insert or update or delete on brands for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

insert into brands default values;
