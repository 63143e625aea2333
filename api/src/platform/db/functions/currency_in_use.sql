-- Refuses a commit that takes the default prices from a currency that an account keeps, or a list from the currency of its clients.
create or replace function currency_in_use() returns trigger language plpgsql as $$
begin
  if old.is_default and not exists (select from price_lists where is_default and currency = old.currency)
    and old.currency in (select currencies_kept()) then
    raise exception 'currency_in_use' using errcode = '23514', constraint = 'currency_in_use', detail = old.currency;
  end if;
  if exists (select from client_price_lists x join price_lists l on l.id = x.price_list_id
    where l.id = old.id and l.currency <> old.currency) then
    raise exception 'price_list_of_currency' using errcode = '23514', constraint = 'price_list_of_currency', detail = old.currency;
  end if;
  return null;
end $$;
