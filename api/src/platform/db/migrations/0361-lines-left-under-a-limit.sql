-- expand
-- For whom a certain line was too much, on which day and under which limits: under others it is tried again.
alter table bank_lines add column left_under text;
