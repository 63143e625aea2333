-- expand
-- All documents by their total. 0241 made none: an index of a client's documents had its name already.
create index concurrently documents_by_total on invoices (total, id) where issued_at is not null;
