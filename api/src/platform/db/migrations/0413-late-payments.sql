-- expand
-- Money that arrived after its payment had ended, and about which its provider is asked again (api/src/money/payments/late).
create index concurrently payments_late on payments (next_look_at)
  where status in ('failed', 'canceled') and next_look_at is not null;
