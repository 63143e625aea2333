-- What is left to pay of a document.
create or replace function invoice_open(p_invoice invoices) returns numeric language sql stable as $$
  select case when p_invoice.kind = 'credit_note' or s.code in ('cancelled', 'expired', 'refunded') then 0
    else greatest(p_invoice.total - p_invoice.paid - p_invoice.credited, 0) end
  from invoice_statuses s where s.id = p_invoice.invoice_status_id
$$;
