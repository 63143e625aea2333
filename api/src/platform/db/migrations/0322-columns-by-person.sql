-- expand
-- The meaning of the columns of a bank's CSV, by its headings, as each person said it. bank_csv_columns was of all of them.
create table bank_csv_meanings (
  admin_id bigint not null references admins,
  headings text not null,
  columns jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (admin_id, headings)
);
create trigger staff_note after insert or update or delete on bank_csv_meanings for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
