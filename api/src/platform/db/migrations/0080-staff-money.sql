-- What one member of staff may move by a verb, in the operator's currency: at once, and on a day of the operator.
create table staff_limits (
  role text not null check (role in ('support', 'billing', 'admin')),
  verb text not null,
  per_action numeric(14, 2) not null check (per_action > 0),
  per_day numeric(14, 2) not null,
  primary key (role, verb),
  constraint staff_limits_day check (per_day >= per_action)
);
insert into staff_limits (role, verb, per_action, per_day) values
  ('support', 'goodwill', 10, 50), ('billing', 'goodwill', 100, 500), ('admin', 'goodwill', 1000, 3000),
  ('billing', 'refund', 1000, 5000), ('admin', 'refund', 10000, 50000);
insert into staff_limits (role, verb, per_action, per_day)
select r.role, v, r.per_action, r.per_day
from unnest('{adjust,writeOff,creditNote,manualInvoice}'::text[]) v
  cross join (values ('billing', 500, 2000), ('admin', 5000, 20000)) r (role, per_action, per_day);

-- What an action of staff moved, in the operator's currency, and the operator's day that it counts on.
alter table staff_actions
  add column amount numeric(14, 2),
  add column counted_on date;
create index staff_actions_counted on staff_actions (admin_id, verb, counted_on) where amount is not null;

-- A part of `paid` that nobody paid: a loss.
alter table invoices add column written_off numeric(14, 2) not null default 0,
  add constraint invoices_written_off check (written_off between 0 and greatest(paid, 0));

-- Corrections of a balance that are neither a sale nor a payment.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in ('client_balance', 'client_credit',
  'client_vat_due', 'psp_clearing', 'bank', 'revenue_usage', 'revenue_other', 'vat_payable', 'promo_expense', 'goodwill',
  'chargeback', 'writeoff', 'psp_fees', 'opening', 'adjustment'));
