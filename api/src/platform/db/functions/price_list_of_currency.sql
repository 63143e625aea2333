-- A client's own prices are in the client's currency: others would count for nothing.
create or replace function price_list_of_currency() returns trigger language plpgsql as $$
begin
  -- Waits for a change of the currency, which these prices rule out from now on.
  perform 1 from clients where id = new.client_id for key share;
  if not exists (select from clients c join currencies u on u.id = c.currency_id
    join price_lists l on l.id = new.price_list_id and l.currency = u.code where c.id = new.client_id) then
    raise exception 'price_list_of_currency' using errcode = '23514', constraint = 'price_list_of_currency',
      detail = (select currency from price_lists where id = new.price_list_id);
  end if;
  return new;
end $$;
