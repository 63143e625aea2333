-- expand
-- The line for which a line was doubtful before a person said that it is the money of another one (same_as).
alter table bank_lines add column doubt_of bigint references bank_lines;
