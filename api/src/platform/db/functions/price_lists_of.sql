-- The price lists by which clients are charged today: their own, and the default one of their currency.
create or replace function price_lists_of(p_clients bigint[]) returns setof bigint language sql stable as $$
  select l.id from clients c
    join currencies u on u.id = c.currency_id
    join price_lists l on l.currency = u.code and l.is_default
    where c.id = any (p_clients)
  union
  select o.price_list_id from client_price_lists o where o.client_id = any (p_clients) and o.valid @> clock_today()
$$;
