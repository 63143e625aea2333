-- expand
-- Staff remind clients of a debt at the desk.
create trigger staff_note after insert or update or delete on dunning_steps for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
