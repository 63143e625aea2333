-- Who of staff a client has let into the panel that a ticket is about, until when. Nobody else of staff enters a panel.
create table staff_accesses (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references tickets,
  -- Whom the ticket was assigned to then: consent is given to a person.
  admin_id bigint not null references admins,
  granted_by_client_id bigint not null references clients,
  granted_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  check (until > granted_at and until <= granted_at + interval '72 hours')
);
create unique index staff_accesses_running on staff_accesses (ticket_id) where ended_at is null;
create index staff_accesses_due on staff_accesses (until) where ended_at is null;

-- What counts at this moment: not over, of a ticket that is not closed and still that person's to answer.
create view open_staff_accesses as
  select a.id, a.ticket_id, a.admin_id, a.until, t.panel_id, t.client_id
  from staff_accesses a join tickets t on t.id = a.ticket_id
  where a.ended_at is null and a.until > now() and t.ticket_status_id <> 6 and t.assigned_admin_id = a.admin_id
    and t.panel_id is not null;

-- Each way into a panel is written down, those of staff with the consent that they rest on.
alter table sso_grants
  alter column client_id drop not null,
  add column admin_id bigint references admins,
  add column staff_access_id bigint references staff_accesses,
  drop constraint sso_grants_role_check,
  add constraint sso_grants_role_check check (role in ('owner', 'guest', 'staff')),
  add constraint sso_grants_one_person check (num_nonnulls(client_id, admin_id) = 1),
  add constraint sso_grants_by_consent check ((role = 'staff') = (admin_id is not null)
    and (admin_id is null) = (staff_access_id is null));
