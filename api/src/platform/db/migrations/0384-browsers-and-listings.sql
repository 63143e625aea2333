-- expand
-- Of a registration: whether the browser showed the token of the one before it, so that it is the same browser. Null is unknown.
alter table auth_events add column same_browser boolean;
-- How many rows of clients lists and searches answered to a person, by hour: too many need a new sign-in.
create table staff_listings (
  admin_id bigint not null references admins,
  hour timestamptz not null,
  listed int not null,
  primary key (admin_id, hour)
);
