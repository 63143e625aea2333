-- expand
-- The last result of each check of the installation, as npm run doctor prints it; replaced as a whole.
create table checks (
  id bigint generated always as identity primary key,
  about text not null,
  state text not null check (state in ('good', 'hint', 'warn', 'stop')),
  words_en text not null,
  words_ro text not null,
  checked_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
