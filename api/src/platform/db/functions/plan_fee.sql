-- What hours of a UTC day cost: hour k of a month's n costs round(m·k/n) − round(m·(k−1)/n), so that a whole month is its
-- price; of a whole day that is one subtraction.
create or replace function plan_fee(p_monthly numeric, p_day date, p_slots int) returns numeric language sql immutable as $$
  select case p_slots when 0 then 0
    when 16777215 then round(p_monthly * (b + 24) / n, 6) - round(p_monthly * b / n, 6)
    else (select sum(round(p_monthly * (b + h + 1) / n, 6) - round(p_monthly * (b + h) / n, 6))
      from generate_series(0, 23) h where (p_slots >> h) & 1 = 1) end
  from (select 24 * extract(day from date_trunc('month', p_day::timestamp) + interval '1 month' - interval '1 day')::int as n,
    24 * (extract(day from p_day)::int - 1) as b) x
$$;
