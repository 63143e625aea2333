-- expand
alter table payment_debts
  -- The part that staff gave up; zero again once the debt has ended, because its write-off is taken back then. A version that
  -- does not know the column fails here instead of setting such a part off, or of leaving the loss.
  add column written_off numeric(14, 2) not null default 0,
  add constraint payment_debts_written_off check (written_off >= 0 and set_off + written_off <= amount
    and (ended_at is null or written_off = 0)),
  -- How often something was written off or taken back, for the keys of the postings.
  add column turns int not null default 0;
create trigger staff_note after insert or update or delete on payment_debts for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

-- Giving such a debt up is a loss like that of a bill, so it has the same limits.
insert into staff_limits (role, verb, per_action, per_day)
select role, 'writeOffDebt', per_action, per_day from staff_limits where verb = 'writeOff';
