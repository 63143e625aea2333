-- The currencies that an account can be opened in: those with a default price list.
create or replace function currencies_offered() returns setof bigint language sql stable as $$
  select q.currency_id from currency_policies q join currencies c on c.id = q.currency_id
  where exists (select from price_lists l where l.is_default and l.currency = c.code)
  order by q.position
$$;
