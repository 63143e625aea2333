-- expand
-- Each import asks for the lines that earlier files had under its references.
create index concurrently bank_lines_by_bank_reference on bank_lines (iban, (coalesce(bank_reference, reference)))
  where state <> 'taken_back';
