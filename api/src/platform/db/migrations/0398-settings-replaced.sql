-- expand
-- Administrators are told when another one replaces a setting of mail or payments.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended', 'ticket_due', 'ticket_overdue', 'ticket_opened', 'ticket_replied',
    'staff_alert', 'plan_changed', 'plan_not_changed', 'staff_request', 'staff_request_decided', 'staff_settings'));
