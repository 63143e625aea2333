-- A refund that went may come back, because the bank of the client does not take it. The books take it back then, and the money
-- is invoiced anew, since its credit note stays what it is.

alter table payment_refunds
  -- ledger_transactions.id of what took the refund back, and the invoice of the money that is here again.
  add column reversal_id bigint unique references ledger_transactions,
  add column restored_invoice_id bigint unique references invoices,
  add constraint payment_refunds_came_back check ((reversal_id is null) = (restored_invoice_id is null)
    and (reversal_id is null or status = 'failed'));

-- As before; and less was given back when some of it came back.
create or replace function payment_moves() returns trigger language plpgsql as $$
begin
  if new.refunded < old.refunded and old.status in ('refunded', 'partially_refunded')
    and new.status in ('partially_refunded', 'succeeded')
  then
    return new;
  end if;
  if old.status <> new.status and not (new.status = any (case old.status
    when 'created' then '{processing,requires_action,succeeded,failed,canceled}'
    when 'processing' then '{requires_action,succeeded,failed,canceled}'
    when 'requires_action' then '{processing,succeeded,failed,canceled}'
    when 'failed' then '{succeeded}'
    when 'canceled' then '{succeeded}'
    when 'succeeded' then '{partially_refunded,refunded,disputed}'
    when 'partially_refunded' then '{refunded,disputed}'
    when 'disputed' then '{succeeded,partially_refunded,refunded}'
    else '{}' end::text[])) then
    raise exception 'payment_moves: payment % cannot go from % to %', old.id, old.status, new.status using errcode = '23514';
  end if;
  return new;
end $$;
