-- expand
-- Refunds by the reference of the transfer that staff sent (api/src/desk/money/payment-conditions.ts).
create index concurrently payment_refunds_by_transfer on payment_refunds (transfer_reference)
  where transfer_reference is not null;
