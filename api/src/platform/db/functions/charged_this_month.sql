-- The sum of a client's automatic payments that were settled in this UTC month, by the business clock. The monthly limit caps it.
create or replace function charged_this_month(p_client bigint) returns numeric language sql stable as $$
  select coalesce(sum(net), 0) from payments where client_id = p_client and purpose = 'auto_recharge'
    and settled_at >= date_trunc('month', clock_now() at time zone 'utc') at time zone 'utc'
$$;
