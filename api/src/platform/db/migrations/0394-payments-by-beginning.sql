-- expand
-- Payments by the beginning of their reference (api/src/desk/money/payment-conditions.ts).
create index concurrently payments_by_beginning on payments ((search_fold(provider_ref) collate "C"))
  where provider_ref is not null;
