-- expand
-- The deposit that a payment had before it followed one that was won back for it: what took the former one's place, and what bills
-- used of it, is still the payment's.
alter table payments add column first_deposit_id bigint references invoices;
