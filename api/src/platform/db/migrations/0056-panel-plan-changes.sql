-- Changes of a panel's plan that were asked for, and the outcome of each.
create table panel_plan_changes (
  id bigint generated always as identity primary key,
  panel_id bigint not null references panels,
  plan_id bigint not null references plans,
  -- What the panel's engine called the plan when it was asked for.
  engine_plan varchar(40) not null,
  -- The price of a month that was confirmed; null for a person who may not know the prices of the account.
  monthly numeric(12, 2),
  currency char(3) not null,
  -- Who asked, in the form that engines receive.
  actor jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'failed')),
  -- The code of a refusal.
  reason text,
  exceeded jsonb not null default '[]',
  asked_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (ended_at is null))
);
create unique index panel_plan_changes_waiting on panel_plan_changes (panel_id) where state = 'waiting';
create index panel_plan_changes_in_order on panel_plan_changes (panel_id, id);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended', 'ticket_due', 'ticket_overdue', 'ticket_opened', 'ticket_replied',
    'staff_alert', 'plan_changed', 'plan_not_changed'));
