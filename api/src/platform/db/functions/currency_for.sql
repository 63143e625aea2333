-- The currency of a new account: that of its country, dollars where it has none, if that is offered; else the first one.
create or replace function currency_for(p_country bigint) returns bigint language sql stable as $$
  select q.currency_id from currency_policies q
  order by q.currency_id in (select currencies_offered()) desc,
    q.currency_id = coalesce((select currency_id from countries where id = p_country), (select id from currencies where code = 'USD'))
      desc,
    q.position
  limit 1
$$;
