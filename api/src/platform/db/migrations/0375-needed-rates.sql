-- expand
-- A list that is no default and that no client has sells nothing, so its currency needs no rate. `used`: a client has an account
-- in the currency, or an offered plan has a price in it; until then a missing rate stops nobody.
create or replace view fx_needs as
  select c.code as base, o.base_currency::text as quote,
    (select max(published_on) from fx_rates r where r.base = c.code::bpchar and r.quote = o.base_currency) as newest,
    exists (select from fx_rate(c.code::bpchar, o.base_currency, operator_today())) as counts,
    exists (select from clients x where x.currency_id = c.id and x.closed_at is null
        and not exists (select from admins a where a.auth_id = x.auth_id))
      or exists (select from plan_prices f join price_lists l on l.id = f.price_list_id join plans p on p.id = f.plan_id
        where l.currency = c.code::bpchar and p.state <> 'draft') as used
  from operator_profile o join currencies c on c.code <> o.base_currency::text
  where exists (select from price_lists l where l.currency = c.code::bpchar
    and (l.is_default or exists (select from client_price_lists g where g.price_list_id = l.id)));
