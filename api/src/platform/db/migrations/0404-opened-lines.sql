-- expand
-- Who said that a doubtful line is other money, and so does not decide about much money of it alone. `undone_by` stays what it was before.
alter table bank_lines add column opened_by bigint references admins;
