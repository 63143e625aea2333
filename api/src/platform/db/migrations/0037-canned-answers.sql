-- What staff answers often, ready in both languages.
create table canned_answers (
  id bigint generated always as identity primary key,
  -- Null: for tickets of every department.
  ticket_department_id bigint references ticket_departments,
  title varchar(80) not null check (length(btrim(title)) >= 1),
  body_en text not null check (length(body_en) between 1 and 20000),
  body_ro text not null check (length(body_ro) between 1 and 20000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint canned_answers_once unique nulls not distinct (ticket_department_id, title)
);
create trigger touch before update on canned_answers for each row execute function touch();
create index canned_answers_by_title on canned_answers (title, id);
create index canned_answers_by_age on canned_answers (created_at, id);
