-- Until when a ticket is to be resolved, and what staff was told of its times. Tickets of before have no such time.
alter table ticket_departments add column resolve_minutes int not null default 1440 check (resolve_minutes > 0);
update ticket_departments set resolve_minutes = 2880 where office_hours;
alter table ticket_departments alter column resolve_minutes drop default;

alter table tickets
  add column resolve_due timestamptz,
  -- While it waits for the client, or is over, no time counts; both times move by what is missed when it goes on.
  add column stopped_at timestamptz,
  -- At how much of the time, in percent, staff was told last.
  add column first_response_told smallint not null default 0 check (first_response_told in (0, 75, 100)),
  add column resolve_told smallint not null default 0 check (resolve_told in (0, 75, 100));
-- Those that staff is to do something about, of all that ever were.
create index tickets_running on tickets (id) where ticket_status_id in (1, 2);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended', 'ticket_due', 'ticket_overdue'));
