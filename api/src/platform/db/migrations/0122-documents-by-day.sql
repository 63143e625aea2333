-- expand
-- Documents of all clients by day, with what the desk filters and adds up, so that neither reads the documents themselves.
create index concurrently invoices_listed on invoices (issue_date, id)
  include (client_id, kind, invoice_status_id, currency, due_date, net, vat, total, paid, credited)
  where issued_at is not null;
