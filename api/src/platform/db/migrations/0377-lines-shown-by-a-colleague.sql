-- expand
-- Who else imported a file with a line that was recorded by hand before: nobody shows their own transfers alone.
alter table bank_lines add column shown_by bigint references admins;
