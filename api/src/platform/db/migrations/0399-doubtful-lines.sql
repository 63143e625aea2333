-- expand
-- How a file was read: its format, the version of our reader and the columns of a CSV. Two readings alike say the same of the same money.
-- Null for imports of before.
alter table bank_statements add column reading text;
-- The balances of each part of the file: [[opening, closing]], null where it states none.
alter table bank_statements add column balances jsonb;
alter table bank_lines
  -- The part of the file, from 0.
  add column part int,
  -- Of a payment of a batch: the bank's reference of the whole entry, and which entry of the file it is, from 0.
  add column batch_reference text,
  add column batch_entry int,
  -- The line whose money this one may be (doubtful) or is (same).
  add column same_as bigint references bank_lines,
  drop constraint bank_lines_state_check,
  add constraint bank_lines_state_check
    check (state in ('open', 'matched', 'ignored', 'returned', 'taken_back', 'doubtful', 'same')) not valid;
