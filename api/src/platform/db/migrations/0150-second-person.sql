-- expand
-- Since when a member has the rights that they have: who was just raised, enabled or invited neither asks nor approves.
alter table admins add column rights_since timestamptz not null default now();
update admins set rights_since = created_at;
-- Its text is in functions/admins_rights.sql.
create function admins_rights() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger admins_rights before update of role, disabled_at, auth_id on admins for each row
  when ((old.role, old.disabled_at, old.auth_id) is distinct from (new.role, new.disabled_at, new.auth_id))
  execute function admins_rights();

-- Who approved what the person of the action asked for.
alter table staff_actions add column approved_by bigint references admins;

-- What one person asks for and another approves: an action of a type, with its input as it was given.
create table staff_requests (
  id bigint generated always as identity primary key,
  verb text not null,
  -- The type of the verb, and the row of it; null where the verb has none.
  about_type text not null,
  ref text,
  input jsonb not null,
  -- What it is about, in words, and what it would move with VAT, both at the time of the request.
  about text not null,
  client_id bigint references clients,
  amount numeric(14, 2),
  currency text,
  reason text not null,
  asked_by bigint not null references admins,
  asked_role text not null,
  -- There was no other administrator.
  asked_alone boolean not null,
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  approved_by bigint references admins,
  declined_by bigint references admins,
  decided_at timestamptz,
  decided_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ends_at timestamptz not null,
  constraint staff_requests_decided check ((decision is null) = (decided_at is null)
    and (approved_by is not null) = (decision is not null and decision = 'approved')
    and (declined_by is not null) = (decision is not null and decision = 'declined')),
  constraint staff_requests_two check (approved_by is null or approved_by <> asked_by
    or (asked_alone and decided_at >= created_at + interval '24 hours'))
);
create index staff_requests_open on staff_requests (asked_by) where decision is null;
create index staff_requests_by_day on staff_requests (created_at, id);
create index staff_requests_by_client on staff_requests (client_id) where client_id is not null;
create trigger touch before update on staff_requests for each row execute function touch();
create trigger staff_note after insert or update or delete on staff_requests for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended', 'ticket_due', 'ticket_overdue', 'ticket_opened', 'ticket_replied',
    'staff_alert', 'plan_changed', 'plan_not_changed', 'staff_request', 'staff_request_decided'));
