-- expand
-- What an owner allows the assigned member of staff through a ticket: to enter its panel, or to see the account as they do.
alter table staff_accesses
  add column scope text not null default 'panel' check (scope in ('panel', 'account'));
drop index staff_accesses_running;
create unique index staff_accesses_running on staff_accesses (ticket_id, scope) where ended_at is null;

-- A consent to be seen opens no panel, also for versions that know no scopes.
create or replace view open_staff_accesses as
  select a.id, a.ticket_id, a.admin_id, a.until, t.panel_id, t.client_id
  from staff_accesses a join tickets t on t.id = a.ticket_id
  where a.ended_at is null and a.until > now() and t.ticket_status_id <> 6 and t.assigned_admin_id = a.admin_id
    and t.panel_id is not null and a.scope = 'panel';

create view open_view_consents as
  select a.id, a.ticket_id, a.admin_id, a.until, t.client_id
  from staff_accesses a join tickets t on t.id = a.ticket_id
  where a.ended_at is null and a.until > now() and t.ticket_status_id <> 6 and t.assigned_admin_id = a.admin_id
    and a.scope = 'account';

-- Whether administrators may see accounts as their owners do without being asked to: one row.
create table access_policies (
  id bigint primary key default 1 check (id = 1),
  views_without_consent boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into access_policies default values;
create trigger touch before update on access_policies for each row execute function touch();
create trigger staff_note after insert or update or delete on access_policies for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

-- Each time that a member of staff saw an account as its owner does. It ends by its time, and with all that it rests on.
create table client_views (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  client_id bigint not null references clients,
  admin_id bigint not null references admins,
  -- The session that opened it. The row of a session is deleted some time after its end, so this is no foreign key.
  session_id uuid not null,
  -- The consent; null: the policy allowed it without one.
  staff_access_id bigint references staff_accesses,
  opened_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  check (until > opened_at and until <= opened_at + interval '30 minutes')
);
create unique index client_views_running on client_views (admin_id, client_id) where ended_at is null;
create index client_views_by_client on client_views (client_id);
create trigger staff_note after insert or update or delete on client_views for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
