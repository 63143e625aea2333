-- The hours of a UTC day that an interval touches, up to p_hours of them: bit h is hour h.
create or replace function plan_slots(p_from timestamptz, p_to timestamptz, p_day date, p_hours int) returns int
language sql immutable as $$
  select case when s < e then ((1 << e) - 1) & ~((1 << s) - 1) else 0 end
  from (select least(24, greatest(0, floor(extract(epoch from p_from - utc_start(p_day)) / 3600)))::int as s,
    greatest(0, least(p_hours, 24, coalesce(ceil(extract(epoch from p_to - utc_start(p_day)) / 3600), 24)))::int as e) x
$$;
