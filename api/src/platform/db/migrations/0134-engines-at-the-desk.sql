-- expand
-- Engines are registered at the desk. Not their health, which jobs note.
create trigger staff_note after insert or delete or update of code, name, base_url, is_default, disabled_at on panel_engines
  for each row when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger staff_note after insert or update or delete on panel_engine_secrets for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
