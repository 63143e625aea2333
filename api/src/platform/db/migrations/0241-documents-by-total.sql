-- expand
-- Documents of all clients by their total.
create index concurrently invoices_by_total on invoices (total, id) where issued_at is not null;
