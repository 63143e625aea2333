-- expand
-- How often a member of staff searched in a minute, through all replicas.
create table staff_searches (
  admin_id bigint not null references admins,
  minute timestamptz not null,
  searches int not null default 1,
  primary key (admin_id, minute)
);
create index staff_searches_by_age on staff_searches (minute);
