-- expand
-- The invoice of what came back to the balance, because no bill asked for it any more: money of the payment of the dispute.
alter table dispute_parts add column deposit_id bigint references invoices;
