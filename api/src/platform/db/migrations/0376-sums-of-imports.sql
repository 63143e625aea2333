-- expand
-- The sums of an import are those of the lines that stayed when it was taken back; until now none stayed.
update bank_statements set imported = 0, total = 0 where taken_back_at is not null;
