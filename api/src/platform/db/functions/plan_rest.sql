-- What the rest of a month of a plan costs from a moment on, its hour included. That hour is the dearer's, where another
-- plan costs so much a month in it.
create or replace function plan_rest(p_client bigint, p_currency char(3), p_plan bigint, p_at timestamptz,
  p_before numeric default null)
returns numeric language sql stable as $$
  with asked as (
    select (p_at at time zone 'utc')::date as day, extract(hour from p_at at time zone 'utc')::int as hour
  )
  select sum(plan_fee(case when d.day = a.day then greatest(p_before, x.monthly) else x.monthly end, d.day,
      case when d.day = a.day then 1 << a.hour else 16777215 end)
    + case when d.day = a.day then plan_fee(x.monthly, d.day, 16777215 & ~((2 << a.hour) - 1)) else 0 end)
  from asked a
  cross join lateral (
    select g::date as day from generate_series(a.day::timestamp,
      date_trunc('month', a.day::timestamp) + interval '1 month' - interval '1 day', interval '1 day') g
  ) d
  cross join lateral plan_price(p_client, p_currency, p_plan, d.day) x
$$;
