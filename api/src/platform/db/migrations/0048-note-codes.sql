-- Notes that the system makes carry a code and parameters; the server words them in both languages. Notes of staff, and those
-- made before, keep their text.
alter table usage_notes
  add column code text,
  add column params jsonb not null default '{}',
  alter column note_en set default '',
  alter column note_ro set default '';
