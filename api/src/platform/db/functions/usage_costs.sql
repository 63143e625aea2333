-- What sums of usage cost by the prices of their days. Hours of a plan cost its fee; meters are priced by the plan of the
-- day. What a price with a plan includes counts once for a panel and day, in the order of its resources, so the sums of
-- one meter, panel and day come together; what a price without a plan includes counts for each resource.
create or replace function usage_costs(p_sums usage_meter_days[])
returns table (usage_id bigint, client_id bigint, usage_on date, currency char(3), claimed usage_meter_days, meter_id smallint,
  quantity numeric, price_id bigint, plan_price_id bigint, unit_price numeric, amount numeric)
language sql stable as $$
  with used as (
    select u.id as usage_id, coalesce(u.client_id, n.client_id) as client_id, coalesce(u.currency, n.currency) as currency,
      d as claimed, d.usage_on, d.panel_id, d.resource_ref, d.meter_id, d.quantity, d.slots,
      split_part(d.resource_ref, '/', 1) as kind,
      row_number() over (partition by d.panel_id, d.usage_on order by d.slots desc nulls first) as place
    from unnest(p_sums) d
    left join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
    -- What was never rated has no row yet.
    left join lateral (
      select p.client_id, cur.code as currency from panels p
      join clients c on c.id = p.client_id
      join currencies cur on cur.id = c.currency_id
      where u.id is null and p.id = d.panel_id
    ) n on true
  ), planned as (
    select u.*, case when u.slots is null then first_value(case when u.place = 1 and u.slots is null
          and exists (select from panel_plans h where h.panel_id = u.panel_id) then day_plan(u.panel_id, u.usage_on) end) over same_day
        else (select p.id from plans p where p.code = split_part(u.resource_ref, '/', 2)) end as plan_id
    from used u
    window same_day as (partition by u.panel_id, u.usage_on order by u.place)
  ), placed as (
    select p.*, row_number() over (partition by client_id, currency, usage_on, meter_id, kind, plan_id) as place_of_price
    from planned p
  ), found as (
    -- A price is looked up once per group; the plan of a join would depend on the estimated number of rows.
    select u.*, first_value(p.id) over same as price_id, first_value(p.unit_price) over same as unit_price,
      first_value(p.included_per_day) over same as included_per_day, first_value(p.tiers) over same as tiers,
      first_value(p.of_plan) over same as of_plan,
      first_value(f.id) over same as plan_price_id, first_value(f.monthly) over same as monthly
    from placed u
    left join lateral (
      select x.id, x.unit_price, x.included_per_day, x.tiers, x.of_plan
      from usage_price(u.client_id, u.currency, case when u.place_of_price = 1 and u.slots is null then u.meter_id end, u.kind,
        u.usage_on, u.plan_id) x
    ) p on true
    left join lateral (
      select x.id, x.monthly
      from plan_price(u.client_id, u.currency, case when u.place_of_price = 1 and u.slots is not null then u.plan_id end,
        u.usage_on) x
    ) f on true
    window same as (partition by client_id, currency, usage_on, meter_id, kind, plan_id order by place_of_price)
  ), costed as materialized (
    select f.*, case when slots is not null then plan_fee(monthly, usage_on, slots)
      when of_plan then usage_amount(quantity, greatest(included_per_day - coalesce(sum(greatest(quantity, 0)) over (
          partition by panel_id, usage_on, meter_id, price_id order by resource_ref collate "C"
          rows between unbounded preceding and 1 preceding), 0), 0), unit_price, tiers)
      else usage_amount(quantity, included_per_day, unit_price, tiers) end as amount
    from found f
  )
  select c.usage_id, c.client_id, c.usage_on, c.currency, c.claimed, c.meter_id, c.quantity, x.price_id, x.plan_price_id,
    x.unit_price, x.amount
  from costed c
  left join lateral (select c.price_id, c.plan_price_id, c.unit_price, c.amount) x on c.amount < 1e12
$$;
