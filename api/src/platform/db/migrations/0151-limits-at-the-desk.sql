-- expand
-- Limits are changed at the desk, so they have an id and are noted.
alter table staff_limits add column id bigint generated always as identity unique;
create trigger staff_note after insert or update or delete on staff_limits for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
