-- expand
-- Plans that staff give panels from a UTC day on. An open one whose day has come waits until the panel can have the plan.
create table plan_assignments (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  panel_id bigint not null references panels,
  plan_id bigint not null references plans,
  starts_on date not null,
  -- The price of a month on that day, as the client was told.
  monthly numeric(12, 2) not null,
  currency char(3) not null,
  admin_id bigint not null references admins,
  -- When the engine was asked, or it was replaced, or the panel was deleted.
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index plan_assignments_open on plan_assignments (panel_id) where ended_at is null;
create index plan_assignments_due on plan_assignments (starts_on) where ended_at is null;
create index plan_assignments_by_client on plan_assignments (client_id);
create index plan_assignments_by_plan on plan_assignments (plan_id);
create index plan_assignments_by_admin on plan_assignments (admin_id);
create trigger touch before update on plan_assignments for each row execute function touch();
create trigger staff_note after insert or update or delete on plan_assignments for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
