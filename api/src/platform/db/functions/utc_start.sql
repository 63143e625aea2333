-- The moment at which a UTC day begins.
create or replace function utc_start(p_day date) returns timestamptz language sql immutable as $$
  select p_day::timestamp at time zone 'utc'
$$;
