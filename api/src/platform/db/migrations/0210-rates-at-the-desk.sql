-- expand
-- Exchange rates are entered at the desk, each in the log of staff.
create trigger staff_note after insert or update or delete on fx_rates for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
