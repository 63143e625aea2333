-- expand
-- Plans and prices are published at the desk, each change a row of its log.
create trigger staff_note after insert on plan_changes for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
