-- The rate for a day: the last one published before it within ten days; a manually recorded rate does not
-- age.
create or replace function fx_rate(p_base bpchar, p_quote bpchar, p_on date) returns setof fx_rates language sql stable as $$
  select * from fx_rates
  where base = p_base and quote = p_quote and published_on < p_on and (published_on >= p_on - 10 or source = 'recorded')
  order by published_on desc limit 1
$$;
