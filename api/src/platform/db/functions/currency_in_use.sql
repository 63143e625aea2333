-- Refuses a commit that takes the default prices from a currency of open accounts (staff pay for nothing), or a list from the currency of its clients.
create or replace function currency_in_use() returns trigger language plpgsql as $$
begin
  if old.is_default and not exists (select from price_lists where is_default and currency = old.currency)
    and exists (select from clients c join currencies u on u.id = c.currency_id
      where u.code = old.currency and c.closed_at is null
        and not exists (select from admins a where a.auth_id = c.auth_id)) then
    raise exception 'currency_in_use' using errcode = '23514', constraint = 'currency_in_use', detail = old.currency;
  end if;
  if exists (select from client_price_lists x join price_lists l on l.id = x.price_list_id
    where l.id = old.id and l.currency <> old.currency) then
    raise exception 'price_list_of_currency' using errcode = '23514', constraint = 'price_list_of_currency', detail = old.currency;
  end if;
  return null;
end $$;
