-- expand
-- What a ready answer does besides, and the words by which staff sort tickets. Clients see neither.
alter table canned_answers
  add column priority smallint check (priority between 1 and 4),
  add column hold boolean not null default false,
  add column tags text[] not null default '{}' check (cardinality(tags) <= 10),
  add column move_to_id bigint references ticket_departments;
create index on canned_answers (move_to_id) where move_to_id is not null;
alter table tickets add column tags text[] not null default '{}' check (cardinality(tags) <= 10);
create index tickets_by_tag on tickets using gin (tags) where tags <> '{}';
