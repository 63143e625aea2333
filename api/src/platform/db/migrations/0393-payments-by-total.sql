-- expand
-- Payments of all clients by their amount (api/src/desk/money/payment-conditions.ts).
create index concurrently payments_by_total on payments (gross, created_at, id);
