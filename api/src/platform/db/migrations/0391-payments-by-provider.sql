-- expand
-- Payments of all clients by their provider (api/src/desk/money/payment-conditions.ts).
create index concurrently payments_by_provider on payments (provider, created_at, id);
