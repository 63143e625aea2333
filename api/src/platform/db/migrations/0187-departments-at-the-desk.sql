-- expand
-- Departments are made, renamed and closed at the desk. A closed one keeps its tickets and takes no new ones.
alter table ticket_departments
  drop constraint ticket_departments_code_check,
  add constraint ticket_departments_code_check check (code ~ '^[a-z][a-z0-9-]{1,29}$'),
  add column closed_at timestamptz;
create trigger staff_note after insert or update or delete on ticket_departments for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
