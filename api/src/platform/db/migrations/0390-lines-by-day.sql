-- expand
-- Lines of a day that a fingerprint names and whose reference is known: each import asks whether their place is other money's.
create index concurrently bank_lines_by_day on bank_lines (iban, booked_on)
  where reference like '#%' and bank_reference is not null and state <> 'taken_back';
