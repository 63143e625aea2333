-- The allowed status changes of a payment; the refunded amount may decrease when a refund is returned.
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
