-- expand
-- Payments by the state that the desk filters by (api/src/desk/money/desk-payments.resource.ts).
create index concurrently payments_by_state on payments ((case
  when status = 'failed' then 'failed' when status in ('created', 'processing', 'requires_action') then 'waiting'
  when status in ('succeeded', 'partially_refunded', 'refunded', 'disputed') then 'settled' end), created_at, id);
