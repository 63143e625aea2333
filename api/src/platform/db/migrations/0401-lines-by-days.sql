-- expand
-- Each import asks for the lines of its days.
create index concurrently bank_lines_by_days on bank_lines (iban, booked_on) where state <> 'taken_back';
