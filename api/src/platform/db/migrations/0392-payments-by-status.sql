-- expand
-- Payments of all clients by their status (api/src/desk/money/payment-conditions.ts).
create index concurrently payments_by_status on payments (status, created_at, id);
