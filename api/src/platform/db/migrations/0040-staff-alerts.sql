-- What needs a person reaches staff by one table, whatever it is about: a payment, a missing price, books that differ.
alter table payment_alerts rename to staff_alerts;
alter table staff_alerts
  -- What it is about, the same words each time; a case has one open row, which is told again while nobody resolves it.
  add column about text,
  add column told_at timestamptz not null default now();
update staff_alerts set about = coalesce('payment ' || payment_id, 'alert ' || id), told_at = created_at;
alter table staff_alerts
  alter column about set not null,
  drop constraint payment_alerts_payment_id_kind_key;
create unique index staff_alerts_open on staff_alerts (kind, about) where resolved_at is null;
create index staff_alerts_of_payment on staff_alerts (payment_id);
