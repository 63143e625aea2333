-- The same for the present plans of an account's panels, or of one of them, that began within these days, because earlier use
-- was rated by the prices of another plan.
create or replace function plan_use_shift(p_client bigint, p_days int, p_panel bigint default null) returns numeric
language sql stable as $$
  select coalesce(sum(plan_use_more(p_client, u.code, p.id, h.plan_id, p_days)), 0)
  from panels p
  join panel_plans h on h.panel_id = p.id and upper_inf(h.during) and h.charged
    and lower(h.during) >= (clock_today() - p_days)::timestamp at time zone 'utc'
  join clients c on c.id = p.client_id
  join currencies u on u.id = c.currency_id
  where p.client_id = p_client and p.plan_id is not null and p.deleted_at is null and p.id = coalesce(p_panel, p.id)
$$;
