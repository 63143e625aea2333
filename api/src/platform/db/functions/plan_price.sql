-- What a plan costs a client a month on a day: the client's own list precedes the default list. No row: no price.
create or replace function plan_price(p_client bigint, p_currency char(3), p_plan bigint, p_day date)
returns table (id bigint, monthly numeric) language sql stable as $$
  select p.id, p.monthly
  from plan_prices p
  join price_lists l on l.id = p.price_list_id and l.currency = p_currency
  left join client_price_lists c on c.price_list_id = l.id and c.client_id = p_client and c.valid @> p_day
  where p.plan_id = p_plan and p.valid @> p_day and (l.is_default or c.client_id is not null)
  order by c.client_id is null
  limit 1
$$;
