-- The additional cost a day of another plan for a panel, by the prices of today: the fee, and the metered use of the last days.
create or replace function plan_more(p_panel bigint, p_plan bigint) returns numeric language sql stable as $$
  select coalesce(round(f.monthly / m.days, 6), 0) - coalesce(round(b.monthly / m.days, 6), 0)
    + plan_use_more(p.client_id, u.code, p.id, p_plan, d.basis_days) - plan_use_shift(p.client_id, d.basis_days, p.id)
  from panels p
  join clients c on c.id = p.client_id
  join currencies u on u.id = c.currency_id
  cross join lateral daily_use(p.client_id, clock_now()) d
  cross join (select days_of_month(clock_today()) as days) m
  left join lateral plan_price(p.client_id, u.code, p_plan, clock_today()) f on true
  left join lateral plan_price(p.client_id, u.code, p.plan_id, clock_today()) b on true
  where p.id = p_panel
$$;
