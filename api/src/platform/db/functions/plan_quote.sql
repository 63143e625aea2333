-- What the rest of a month costs when a panel's plan is changed at a moment, from the hour of the change on, which is the
-- dearest plan's.
create or replace function plan_quote(p_panel bigint, p_plan bigint, p_at timestamptz) returns numeric language plpgsql stable as $$
declare
  v_hour timestamptz := date_trunc('hour', p_at, 'utc');
  v_client bigint;
  v_currency char(3);
  v_before numeric;
begin
  select p.client_id, cur.code into strict v_client, v_currency
  from panels p join clients c on c.id = p.client_id join currencies cur on cur.id = c.currency_id where p.id = p_panel;
  select max(x.monthly) into v_before
  from panel_plans h cross join lateral plan_price(v_client, v_currency, h.plan_id, (p_at at time zone 'utc')::date) x
  where h.panel_id = p_panel and h.charged and h.during && tstzrange(v_hour, p_at);
  return plan_rest(v_client, v_currency, p_plan, p_at, v_before);
end $$;
