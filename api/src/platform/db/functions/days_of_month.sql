create or replace function days_of_month(p_day date) returns int language sql immutable as $$
  select extract(day from date_trunc('month', p_day::timestamp) + interval '1 month' - interval '1 day')::int
$$;
