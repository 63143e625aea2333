-- expand
-- As payments_unseen of the release before, with the transfers that were refunded: money that never came may have left.
create index concurrently payments_by_hand on payments (currency, received_on)
  where provider = 'bank' and bank_line_id is null and recorded_by is not null;
