-- What the rest of a month costs when a panel's plan is changed at a moment, from the hour of the change on, which is the
-- dearest plan's.
create or replace function plan_quote(p_panel bigint, p_plan bigint, p_at timestamptz) returns numeric language plpgsql stable as $$
declare
  v_day date := (p_at at time zone 'utc')::date;
  v_hour int := extract(hour from p_at at time zone 'utc');
  v_end date := (date_trunc('month', v_day::timestamp) + interval '1 month')::date;
  v_client bigint;
  v_currency char(3);
  v_before numeric;
begin
  select p.client_id, cur.code into strict v_client, v_currency
  from panels p join clients c on c.id = p.client_id join currencies cur on cur.id = c.currency_id where p.id = p_panel;
  select max(x.monthly) into v_before
  from panel_plans h cross join lateral plan_price(v_client, v_currency, h.plan_id, v_day) x
  where h.panel_id = p_panel and h.charged and h.during && tstzrange(utc_start(v_day) + v_hour * interval '1 hour', p_at);
  return (
    select sum(plan_fee(case when d.day = v_day then greatest(v_before, x.monthly) else x.monthly end, d.day,
        case when d.day = v_day then 1 << v_hour else 16777215 end)
      + case when d.day = v_day then plan_fee(x.monthly, d.day, 16777215 & ~((2 << v_hour) - 1)) else 0 end)
    from (select g::date as day from generate_series(v_day::timestamp, v_end - interval '1 day', interval '1 day') g) d
    cross join lateral plan_price(v_client, v_currency, p_plan, d.day) x
  );
end $$;
