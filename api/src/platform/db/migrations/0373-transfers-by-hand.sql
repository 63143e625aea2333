-- expand
-- Transfers that a person recorded and that no imported line shows: each import looks for them.
create index concurrently payments_unseen on payments (currency, received_on)
  where provider = 'bank' and bank_line_id is null and recorded_by is not null and status <> 'refunded';
