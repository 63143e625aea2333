-- expand
-- The line of the file in which a line stood: the same bytes, read by other columns, say by it which line is which.
alter table bank_lines add column file_line int;
