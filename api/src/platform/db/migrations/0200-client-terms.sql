-- expand
-- When the invoices of a client are due after their day; null: as the operator's other invoices.
alter table clients add column due_days int check (due_days between 0 and 365);
