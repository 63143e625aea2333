-- How staff is notified of tickets and alerts, who resolved an alert, and the end of trials that staff were given.
alter table admins
  -- By code of a department: 'all', 'mine' or 'none'; all of a department that is not named.
  add column followed jsonb not null default '{}',
  add column ticket_news_by text[] not null default '{letter,portal}' check (ticket_news_by <@ '{letter,portal}'),
  add column alert_news_by text[] not null default '{letter,portal}' check (alert_news_by <@ '{letter,portal}');

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended', 'ticket_due', 'ticket_overdue', 'ticket_opened', 'ticket_replied',
    'staff_alert'));

alter table staff_alerts
  -- Null while staff was not notified of the case. Old ones they know.
  add column notified_at timestamptz,
  add column resolved_by_admin_id bigint references admins,
  add column resolution varchar(300);
update staff_alerts set notified_at = told_at;
create index staff_alerts_by_age on staff_alerts (created_at, id);

-- Staff are no customers: what is left of a trial goes back by the job that ends credit, through the ledger.
create function is_staff(p_client bigint) returns boolean language sql stable as $$
  select exists (select from clients c join admins a on a.auth_id = c.auth_id where c.id = p_client)
$$;
update promo_grants set expires_on = clock_today()
  where ended_on is null and expires_on > clock_today() and is_staff(client_id);
update account_balances set evaluate_due = true where is_staff(client_id);
update client_features set enabled = false where feature = 'trial' and is_staff(client_id);
update clients set trial_ends_at = null where trial_ends_at is not null and is_staff(id);
