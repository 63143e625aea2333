-- expand
-- The bank's reference of a line that has another name, because the reference stands for several lines or its name is taken.
alter table bank_lines add column bank_reference text;
