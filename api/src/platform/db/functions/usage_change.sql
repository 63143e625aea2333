-- The difference between what usage costs in a month, up to p_to, and in days before it, split by reason; the rows add up to
-- it exactly. Both ranges are costed at the prices that most of the earlier days had: what changes then is volume, and
-- the rest of the difference is the prices' or the plans'. p_elapsed counts the later days, the last of them in part.
create or replace function usage_change(p_client bigint, p_project bigint, p_panel bigint, p_resource text,
  p_before_from date, p_before_to date, p_from date, p_to date, p_elapsed numeric)
returns table (kind text, amount numeric, panel_id bigint, resource_ref text, resource_name text, since date, meter_id smallint,
  plan_id bigint, plan_before bigint)
-- Planned for each call, because accounts differ in size; a table that is small now would be scanned when it is large.
language plpgsql stable set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
return query with line as materialized (
    select u.panel_id, u.resource_ref, u.resource_name, u.usage_on, u.usage_on >= p_from as later, l.meter_id, l.quantity,
      coalesce(l.amount, 0) as amount, l.price_id, l.plan_price_id, m.by_portal as fee,
      -- The fees of a panel are one thing, whichever plan it has.
      case when m.by_portal then 'plan' else u.resource_ref end as item, split_part(u.resource_ref, '/', 1) as of_kind
    from usages u
    join usage_lines l on l.usage_id = u.id
    join meters m on m.id = l.meter_id
    where u.client_id = p_client and u.usage_on between p_before_from and p_to
      and (u.usage_on <= p_before_to or u.usage_on >= p_from)
      and (p_project is null or u.project_id = p_project) and (p_panel is null or u.panel_id = p_panel)
  ), price as materialized (
    select p.id, p.unit_price, p.included_per_day, p.tiers, p.plan_id from prices p where p.id in (select l.price_id from line l)
  ), fee_price as materialized (
    select p.id, p.monthly, p.plan_id from plan_prices p where p.id in (select l.plan_price_id from line l)
  ), base as materialized (
    select distinct on (panel_id, of_kind, meter_id) panel_id, of_kind, meter_id, price_id, plan_price_id
    from (
      select panel_id, of_kind, meter_id, price_id, plan_price_id, min(usage_on) as first_on,
        sum(case when fee then quantity else 1 end) as weight
      from line where not later group by 1, 2, 3, 4, 5
    ) w
    order by panel_id, of_kind, meter_id, weight desc, first_on
  ), found as (
    select l.*, coalesce(own.plan_id, own_fee.plan_id) as own_plan, coalesce(b_price.plan_id, b_fee.plan_id) as base_plan,
      b.panel_id is null or (l.price_id, l.plan_price_id) is not distinct from (b.price_id, b.plan_price_id) as same,
      b_price.unit_price, b_price.tiers, b_fee.monthly,
      -- What a plan's price includes counts once for a panel and day, in the order of its resources.
      case when b_price.plan_id is null then b_price.included_per_day else greatest(b_price.included_per_day - coalesce(
        sum(greatest(l.quantity, 0)) over (partition by l.panel_id, l.usage_on, l.meter_id, b.price_id
          order by l.resource_ref collate "C" rows between unbounded preceding and 1 preceding), 0), 0) end as included
    from line l
    left join base b on b.panel_id = l.panel_id and b.of_kind = l.of_kind and b.meter_id = l.meter_id
    left join price b_price on b_price.id = b.price_id
    left join fee_price b_fee on b_fee.id = b.plan_price_id
    left join price own on own.id = l.price_id
    left join fee_price own_fee on own_fee.id = l.plan_price_id
  ), costed as materialized (
    select f.*, case
        when same then amount
        when fee then coalesce(round(monthly * quantity / (24 * days_of_month(usage_on)), 6), 0)
        else coalesce(usage_amount(quantity, included, unit_price, tiers), 0)
      end as at_base
    from found f
    where p_resource is null or resource_ref = p_resource
  ), item as (
    select panel_id, item, fee, max(resource_ref) as resource_ref, max(resource_name) as resource_name,
      sum(amount) filter (where not later) as before, sum(amount) filter (where later) as now,
      sum(at_base) filter (where not later) as base_before, sum(at_base) filter (where later) as base_now,
      min(usage_on) filter (where not later) as first_before, max(usage_on) filter (where not later) as last_before,
      min(usage_on) filter (where later) as first_now, max(usage_on) filter (where later) as last_now,
      count(distinct usage_on) filter (where not later) as days_before,
      count(distinct usage_on) filter (where later) as days_now
    from costed group by panel_id, item, fee
  ), dated as (
    -- The days of use around the ranges, of what began or ended: who paused was there before.
    select i.*, coalesce(e.first_on, first_now) as began, coalesce(g.last_on, last_before) as ended, a.again
    from item i
    left join lateral (
      select min(u.usage_on) as first_on from usages u
      where (i.first_before is null or i.first_before > p_before_from) and u.panel_id = i.panel_id
        and u.usage_on between p_before_from - 31 and p_from - 1
        and (u.resource_ref = i.resource_ref or i.fee and u.resource_ref like 'plan/%')
    ) e on true
    left join lateral (
      select max(u.usage_on) as last_on from usages u
      where i.last_now is null and u.panel_id = i.panel_id and u.usage_on between p_before_to + 1 and p_from - 1
        and (u.resource_ref = i.resource_ref or i.fee and u.resource_ref like 'plan/%')
    ) g on true
    left join lateral (
      select bool_or(true) as again from usages u
      where i.last_now < p_to and u.panel_id = i.panel_id and u.usage_on between p_to + 1 and p_to + 31
        and (u.resource_ref = i.resource_ref or i.fee and u.resource_ref like 'plan/%')
    ) a on true
  ), lived as (
    -- Only what was used on each day shows by a day without use that it was not there. Today's use may still come.
    select d.*, first_before > p_before_from and began > p_before_from and days_before = p_before_to - first_before + 1
        and last_now is not null as came,
      last_now < p_to - (p_elapsed < p_to - p_from + 1)::int and again is null and days_now = last_now - p_from + 1
        and last_before is not null as left_
    from dated d
  ), scaled as (
    select v.*, p_resource is null and bool_and(first_before is null or came) over of_panel as panel_new,
      p_resource is null and bool_and(last_now is null or left_) over of_panel as panel_gone,
      p_elapsed / n * case when fee then days_of_month(p_before_from)::numeric / days_of_month(p_from) else 1 end as scale,
      (case when left_ then (last_now - p_from + 1) / p_elapsed else 1 end)
        / (case when came then (p_before_to - began + 1) / n else 1 end) as share
    from lived v
    cross join lateral (select (p_before_to - p_before_from + 1)::numeric as n) x
    window of_panel as (partition by panel_id)
  ), volume as materialized (
    select s.*, base_now - base_before - d.days as rest, d.days, case
        when share = 1 then 0
        -- A fee depends on the time alone.
        when fee and (share > 1) = (base_now - base_before > d.days) then base_now - base_before - d.days
        else round(base_before * scale * (share - 1), 6)
      end as life
    from scaled s
    cross join lateral (
      select case when first_before is not null and last_now is not null then round(base_before * (scale - 1), 6) end as days
    ) d
  ), part as (
    select case when first_before is null or life > 0 then 'new' else 'ended' end as kind,
      case when first_before is null then now when last_now is null then -before else life end as amount,
      panel_id, case when case when first_before is null or life > 0 then panel_new else panel_gone end then null else resource_ref end
        as resource_ref, resource_name,
      case when last_now is null or life < 0 then case when last_now is null then ended else last_now end
        when began >= p_before_from then began end as since,
      null::smallint as meter_id, null::bigint as plan_id, null::bigint as plan_before
    from volume
    union all
    select 'quantity', rest - life, panel_id, resource_ref, resource_name, null, null, null, null from volume
    union all
    select 'days', days, null, null, null, null, null, null, null from volume
    union all
    select case when c.own_plan is distinct from c.base_plan then 'plan' else 'price' end,
      case when c.later then c.amount - c.at_base else c.at_base - c.amount end,
      case when c.own_plan is distinct from c.base_plan then c.panel_id end, null, null, null,
      case when c.own_plan is not distinct from c.base_plan then c.meter_id end,
      case when c.own_plan is not distinct from c.base_plan and c.fee then c.own_plan end, null
    from costed c
    join item i on i.panel_id = c.panel_id and i.item = c.item
    where not c.same and i.first_before is not null and i.last_now is not null
  ), summed as (
    select kind, sum(amount) as amount, panel_id, resource_ref, max(resource_name) as resource_name,
      case when bool_and(since is not null) then case kind when 'ended' then max(since) else min(since) end end as since,
      meter_id, plan_id
    from part where amount <> 0
    group by kind, panel_id, resource_ref, meter_id, plan_id
  )
  select s.kind, s.amount, s.panel_id, s.resource_ref, s.resource_name, s.since, s.meter_id,
    coalesce(s.plan_id, t.plan_id), f.plan_id
  from summed s
  left join lateral (
    select c.own_plan as plan_id from costed c
    where s.kind = 'plan' and c.panel_id = s.panel_id and c.fee and not c.later order by c.usage_on limit 1
  ) f on true
  left join lateral (
    select c.own_plan as plan_id from costed c
    where s.kind = 'plan' and c.panel_id = s.panel_id and c.fee and c.later
    order by c.usage_on desc, c.own_plan = f.plan_id limit 1
  ) t on true
  where s.amount <> 0;
end $$;
