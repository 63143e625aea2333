-- expand
-- Documents by a part of their number or of the buyer's name (api/src/desk/money/document-conditions.ts).
create index concurrently invoices_found on invoices
  using gin (search_fold(full_number || ' ' || (buyer ->> 'name')) gin_trgm_ops);
