-- expand
-- An import that is taken back asks which other lines are the same money.
create index concurrently bank_lines_by_same on bank_lines (same_as) where same_as is not null;
