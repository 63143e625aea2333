-- People are told in the portal, too, when their balance runs low or out, and when panels stand still for it.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in
  ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted', 'balance_low',
    'balance_negative', 'account_suspended'));
