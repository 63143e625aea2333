-- The working days after one day up to another; negative when that one is past.
create or replace function working_days_until(p_country text, p_from date, p_until date) returns int language sql stable as $$
  select (case when p_until < p_from then -1 else 1 end * count(*))::int
  from generate_series(least(p_from, p_until) + 1, greatest(p_from, p_until), interval '1 day') d
  where extract(isodow from d) < 6
    and not exists (select from public_holidays h where h.country = p_country and h.day = d::date)
$$;
