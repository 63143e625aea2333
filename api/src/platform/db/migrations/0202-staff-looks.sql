-- expand
-- Which clients a member of staff opened, by hour: administrators read how many, and too many need a new sign-in.
create table staff_looks (
  admin_id bigint not null references admins,
  hour timestamptz not null,
  client_id bigint not null references clients,
  looks int not null default 1,
  primary key (admin_id, hour, client_id)
);
create index staff_looks_by_client on staff_looks (client_id);
