-- expand
-- The company and the rules of debts are edited at the desk: their single rows have an id, and the log records each change.
alter table operator_profile add column id bigint generated always as (1) stored;
alter table billing_policies add column id bigint generated always as (1) stored;
alter table currency_policies add column id bigint generated always as (currency_id) stored;

create trigger staff_note after insert or update or delete on operator_profile for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update or delete on billing_policies for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update or delete on currency_policies for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
-- Not the next number, which each document takes.
create trigger staff_note after insert or update of prefix, kind, active, legal_decision or delete on invoice_series for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update of prefix, active or delete on proforma_series for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
