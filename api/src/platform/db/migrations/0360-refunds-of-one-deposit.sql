-- expand
-- A deposit that a credit note made is refunded in parts, or again after a refund that failed; only one is on its way at a time.
alter table payment_refunds
  drop constraint payment_refunds_advance_invoice_id_key,
  add constraint payment_refunds_advance_invoice_id_key exclude (advance_invoice_id with =) where (status = 'pending');
