-- Notes that a document counts, or with -1 that it no longer does as it was.
create or replace function invoice_counted(p_invoice invoices, p_by int) returns void language sql as $$
  insert into document_counts (issue_date, kind, invoice_status_id, currency, many, net, vat, total, open)
  values (p_invoice.issue_date, p_invoice.kind, p_invoice.invoice_status_id, p_invoice.currency, p_by, p_by * p_invoice.net,
    p_by * p_invoice.vat, p_by * p_invoice.total, p_by * invoice_open(p_invoice))
$$;
