-- The difference a day between the metered use of a panel on its last complete days at the prices of a plan, and as rated.
create or replace function plan_use_more(p_client bigint, p_currency char(3), p_panel bigint, p_plan bigint, p_days int)
returns numeric language sql stable as $$
  select case when p_days = 0 then 0 else round((plan_use(p_client, p_currency, p_panel, p_plan, p_days)
    - coalesce((select sum(u.rated_amount) from usages u where u.panel_id = p_panel and u.usage_on >= clock_today() - p_days
        and u.usage_on < clock_today() and u.resource_ref not like 'plan/%'), 0)) / p_days, 6) end
$$;
