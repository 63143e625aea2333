-- The rate that counts on a day is the last one published before it, of the last ten days; a recorded one does not age.
create function fx_rate(p_base bpchar, p_quote bpchar, p_on date) returns setof fx_rates language sql stable as $$
  select * from fx_rates
  where base = p_base and quote = p_quote and published_on < p_on and (published_on >= p_on - 10 or source = 'recorded')
  order by published_on desc limit 1
$$;

-- Each currency that something is sold in and VAT is not declared in: without a rate that counts today no document is issued.
create view fx_needs as
  select c.code as base, o.base_currency::text as quote,
    (select max(published_on) from fx_rates r where r.base = c.code::bpchar and r.quote = o.base_currency) as newest,
    exists (select from fx_rate(c.code::bpchar, o.base_currency, operator_today())) as counts
  from operator_profile o join currencies c on c.code <> o.base_currency::text
  where exists (select from price_lists l where l.currency = c.code::bpchar);

-- Rates depend on the currency of the operator, so they are fetched as soon as it is known.
create function fx_fetch() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('fx.fetch', '{}'::json, job_key => 'fx.fetch', max_attempts => 8);
  return null;
end $$;
create trigger fetch_rates after insert or update of base_currency on operator_profile
  for each row execute function fx_fetch();
