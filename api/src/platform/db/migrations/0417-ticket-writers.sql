-- expand
-- Who of staff has an answer open at which ticket: a sign for colleagues, which ends by itself.
create table ticket_writers (
  ticket_id bigint not null references tickets on delete cascade,
  admin_id bigint not null references admins,
  at timestamptz not null,
  primary key (ticket_id, admin_id)
);
create index ticket_writers_by_admin on ticket_writers (admin_id);
