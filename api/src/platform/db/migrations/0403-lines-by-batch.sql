-- expand
-- Each import asks for the payments of the batches whose references it has.
create index concurrently bank_lines_by_batch on bank_lines (iban, batch_reference)
  where batch_reference is not null and state <> 'taken_back';
