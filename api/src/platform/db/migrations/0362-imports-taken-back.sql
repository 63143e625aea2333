-- expand
-- An import that was read wrongly is taken back: its lines stay as history under another reference, and its file is imported again.
alter table bank_statements add column taken_back_at timestamptz;
alter table bank_lines
  drop constraint bank_lines_state_check,
  add constraint bank_lines_state_check check (state in ('open', 'matched', 'ignored', 'returned', 'taken_back')) not valid;
-- The statement is noted, whose lines are taken back by the thousand.
create or replace trigger staff_note after update on bank_lines for each row
  when (nullif(current_setting('portico.staff', true), '') is not null and old.state is distinct from new.state
    and new.state <> 'taken_back')
  execute function staff_note();
