-- Dropped with the signature of before, which callers without a plan still match.
drop function if exists usage_price(bigint, char, smallint, text, date);

-- The price for a client on a day: the client's own list precedes the default list, a price for the plan one for
-- any plan, and a price for the resource kind a general one. No row: no price.
create or replace function usage_price(p_client bigint, p_currency char(3), p_meter smallint, p_kind text, p_day date,
  p_plan bigint default null)
returns table (id bigint, unit_price numeric, included_per_day numeric, tiers jsonb, of_plan boolean) language sql stable as $$
  select p.id, p.unit_price, p.included_per_day, p.tiers, p.plan_id is not null
  from prices p
  join price_lists l on l.id = p.price_list_id and l.currency = p_currency
  left join client_price_lists c on c.price_list_id = l.id and c.client_id = p_client and c.valid @> p_day
  where p.meter_id = p_meter and p.resource_kind in ('', p_kind) and p.valid @> p_day
    and (p.plan_id is null or p.plan_id = p_plan) and (l.is_default or c.client_id is not null)
  order by c.client_id is null, p.plan_id is null, p.resource_kind = ''
  limit 1
$$;
