-- What the meters of a panel would cost on its last complete UTC days under a plan, by the prices of today. What a price
-- with a plan includes counts once for a day, in the order of the resources.
create or replace function plan_use(p_client bigint, p_currency char(3), p_panel bigint, p_plan bigint, p_days int)
returns numeric language sql stable as $$
  with used as (
    select d.usage_on, d.resource_ref, d.meter_id, d.quantity, x.id, x.unit_price, x.included_per_day, x.tiers, x.of_plan
    -- By equal days, so that every supported server reads the rows of this panel only.
    from generate_series(1, p_days) ago
    join usage_meter_days d on d.usage_on = clock_today() - ago and d.panel_id = p_panel and d.slots is null
    cross join lateral usage_price(p_client, p_currency, d.meter_id, split_part(d.resource_ref, '/', 1), clock_today(), p_plan) x
  ), included as (
    select u.*, case when of_plan then greatest(included_per_day - coalesce(sum(greatest(quantity, 0)) over (
        partition by usage_on, meter_id, id order by resource_ref collate "C"
        rows between unbounded preceding and 1 preceding), 0), 0) else included_per_day end as free
    from used u
  )
  select coalesce(sum(usage_amount(quantity, free, unit_price, tiers)), 0) from included
$$;
