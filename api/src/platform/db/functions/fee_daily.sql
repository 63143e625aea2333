-- The present fees of an account's panels for a day. A panel that is being made or resumed counts already, and one with a
-- waiting change of plan counts with the dearer plan, so that the same money does not pay for two requests.
create or replace function fee_daily(p_client bigint, p_day date) returns numeric language sql stable as $$
  with held as (
    select p.id, x.plan_id
    from panels p
    left join panel_plans h on h.panel_id = p.id and upper_inf(h.during)
    left join panel_plan_changes g on g.panel_id = p.id and g.state = 'waiting'
    cross join lateral unnest(array[case when h.id is not null then h.plan_id when p.status = 'provisioning' then p.plan_id end,
      g.plan_id]) x (plan_id)
    where p.client_id = p_client and p.deleted_at is null and p.status <> 'deleting'
      and (coalesce(h.charged, true) or (p.suspended_at is null and p.suspension_due)) and x.plan_id is not null
  ), priced as (
    select o.plan_id, round(x.monthly / days_of_month(p_day), 6) as daily
    from (select distinct plan_id from held) o
    join clients c on c.id = p_client
    join currencies u on u.id = c.currency_id
    cross join lateral plan_price(p_client, u.code, o.plan_id, p_day) x
  )
  select coalesce(sum(d.daily), 0)
  from (select max(r.daily) as daily from held join priced r using (plan_id) group by held.id) d
$$;
