-- The day that is so many working days after another.
create or replace function working_day_after(p_country text, p_day date, p_days int) returns date language sql stable as $$
  select d::date from generate_series(p_day + 1, p_day + 2 * p_days + 30, interval '1 day') d
  where extract(isodow from d) < 6
    and not exists (select from public_holidays h where h.country = p_country and h.day = d::date)
  order by d offset p_days - 1 limit 1
$$;
