-- expand
-- Staff give lists of prices to clients at the desk.
create trigger staff_note after insert or update or delete on client_price_lists for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
