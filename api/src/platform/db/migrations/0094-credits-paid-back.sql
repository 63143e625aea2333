-- The money of a credit note may go back to the payer: through the provider, or as a transfer that staff send by hand.
alter table payment_refunds
  -- The deposit that it credits, where that is not the payment's own.
  add column advance_invoice_id bigint unique references invoices,
  -- The account of the payee of a transfer, and what the bank calls the transfer.
  add column iban varchar(34),
  add column transfer_reference text,
  add column sent_on date;
