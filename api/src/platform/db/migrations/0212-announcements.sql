-- expand
-- What the operator announces above the pages of its customers, from a moment to another.
create table announcements (
  id bigint generated always as identity primary key,
  title_en varchar(120) not null check (title_en <> ''),
  title_ro varchar(120) not null check (title_ro <> ''),
  body_en varchar(1000) not null default '',
  body_ro varchar(1000) not null default '',
  starts_at timestamptz not null,
  -- Null: until it is ended.
  ends_at timestamptz,
  -- Whom it concerns: accounts with panels of the engine or of the plan; neither: everybody, visitors too.
  panel_engine_id bigint references panel_engines,
  plan_id bigint references plans,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(panel_engine_id, plan_id) <= 1),
  constraint announcements_end_after_start check (ends_at > starts_at)
);
create trigger touch before update on announcements for each row execute function touch();
create trigger staff_note after insert or update or delete on announcements for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
