-- Rates changed usage, up to p_limit sums with all of a resource's day; returns their number, how many have
-- no price, and the last day, panel and resource for the next call. Runs are serialized: others wait and
-- continue with the rest. Ingestion does not wait: a sum that changes meanwhile is rated with its old value
-- and stays marked for rating, and so does one that is marked meanwhile.
create or replace function usage_rate(p_limit int, p_after_day date default '-infinity', p_after_panel bigint default 0,
  p_after_resource text default '')
returns table (rated int, unpriced int, last_day date, last_panel bigint, last_resource text) language plpgsql
-- Planned for each call, because the number of rows varies: any single plan would be far off for few or for
-- many.
set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_claimed usage_meter_days[];
  v_priced usage_meter_days[];
  v_unpriced usage_meter_days[];
  v_first_new bigint;
  v_last usage_meter_days;
  v_rated int;
begin
  perform pg_advisory_xact_lock(7067842305);
  v_claimed := array(
    select d from usage_meter_days d
    where d.dirty and (d.usage_on, d.panel_id, d.resource_ref) > (p_after_day, p_after_panel, p_after_resource)
    order by d.usage_on, d.panel_id, d.resource_ref fetch first p_limit rows with ties
  );
  if cardinality(v_claimed) = 0 then
    return query select 0, 0, p_after_day, p_after_panel, p_after_resource;
    return;
  end if;
  v_rated := cardinality(v_claimed);
  v_last := v_claimed[v_rated];
  -- What a plan's price includes counts once for a panel, so a sum takes the others of its meter along.
  v_claimed := v_claimed || array(
    select s
    from (select distinct d.usage_on, d.panel_id, d.meter_id from unnest(v_claimed) d
      where d.slots is null and exists (select from panel_plans h where h.panel_id = d.panel_id)) g
    join usage_meter_days s on s.usage_on = g.usage_on and s.panel_id = g.panel_id and s.meter_id = g.meter_id
    where (s.usage_on, s.panel_id, s.resource_ref, s.meter_id) not in
      (select d.usage_on, d.panel_id, d.resource_ref, d.meter_id from unnest(v_claimed) d)
  );

  insert into usage_client_days (client_id, usage_on)
    select distinct p.client_id, d.usage_on from unnest(v_claimed) d join panels p on p.id = d.panel_id
    order by 1, 2
    on conflict do nothing;
  perform 1 from usage_client_days g
    where (g.client_id, g.usage_on) in
      (select p.client_id, d.usage_on from unnest(v_claimed) d join panels p on p.id = d.panel_id)
    order by g.client_id, g.usage_on for update;

  with made as (
    insert into usages (client_id, project_id, panel_id, resource_ref, resource_id, resource_name, usage_on, currency)
    select p.client_id, p.project_id, p.id, d.resource_ref, r.id,
      coalesce(r.name, case split_part(d.resource_ref, '/', 1) when 'panel' then p.name when 'plan' then substr(d.resource_ref, 6) end), d.usage_on, cur.code
    from (select distinct x.panel_id, x.usage_on, x.resource_ref from unnest(v_claimed) x) d
    join panels p on p.id = d.panel_id
    join clients c on c.id = p.client_id
    join currencies cur on cur.id = c.currency_id
    left join panel_resources r on r.panel_id = d.panel_id and r.kind = split_part(d.resource_ref, '/', 1)
      and r.external_id = split_part(d.resource_ref, '/', 2)
    where not exists (select from usages u
      where u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref)
    returning id
  )
  select min(made.id) into v_first_new from made;

  with priced as materialized (
    select usage_id, client_id, usage_on, currency, claimed, meter_id, quantity, price_id, plan_price_id, unit_price, amount
    from usage_costs(v_claimed)
  ), noted as (
    insert into usage_notes (usage_id, client_id, usage_on, kind, code, params)
    select n.usage_id, n.client_id, n.usage_on, 'price_change', 'price_changed',
      jsonb_build_object('meter', m.code, 'amount', n.amount::text, 'was', l.amount::text, 'currency', n.currency)
    from priced n
    join usage_lines l on l.usage_id = n.usage_id and l.meter_id = n.meter_id
      and (l.price_id <> n.price_id or l.plan_price_id <> n.plan_price_id)
    join meters m on m.id = n.meter_id
  ), lines as (
    insert into usage_lines (usage_id, meter_id, quantity, unit_price, amount, price_id, plan_price_id)
    select usage_id, meter_id, quantity, unit_price, amount, price_id, plan_price_id from priced
    on conflict (usage_id, meter_id) do update set quantity = excluded.quantity, unit_price = excluded.unit_price,
      amount = excluded.amount, price_id = excluded.price_id, plan_price_id = excluded.plan_price_id
  )
  select array_agg(claimed) filter (where amount is null), array_agg(claimed) filter (where amount is not null)
    into v_unpriced, v_priced from priced;

  with touched as (
    select distinct u.id from unnest(v_claimed) d
    join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
  ), summed as (
    select t.id, coalesce(sum(l.amount), 0) as rated_amount, bool_or(l.amount is null) as unpriced
    from touched t join usage_lines l on l.usage_id = t.id group by t.id
  ), changed as (
    update usages u set rated_amount = s.rated_amount, unpriced = s.unpriced,
      status = case when s.rated_amount <> u.charged_amount and u.status = 'charged' then 'open' else u.status end
    from summed s join usages o on o.id = s.id
    where u.id = s.id
    returning u.client_id, u.usage_on, u.panel_id, u.project_id, u.id, u.rated_amount - o.rated_amount as more,
      u.resource_ref like 'plan/%' as is_fee,
      u.unpriced::int - o.unpriced::int as more_unpriced
  ), counted as (
    select c.client_id, c.usage_on, c.panel_id, c.project_id, count(*) filter (where c.id >= v_first_new) as usages,
      sum(c.more) as more, coalesce(sum(c.more) filter (where c.is_fee), 0) as more_fee, sum(c.more_unpriced) as more_unpriced,
      coalesce(bool_or(c.more <> 0 or c.id >= v_first_new), false) as due
    from changed c
    group by c.client_id, c.usage_on, c.panel_id, c.project_id
  ), by_panel as (
    insert into usage_panel_days as d (client_id, usage_on, panel_id, project_id, usages, unpriced, rated_amount)
    select client_id, usage_on, panel_id, project_id, usages, more_unpriced, more from counted
    on conflict (client_id, usage_on, panel_id, project_id) do update set usages = d.usages + excluded.usages,
      unpriced = d.unpriced + excluded.unpriced, rated_amount = d.rated_amount + excluded.rated_amount
  )
  update usage_client_days d set usages = d.usages + c.usages, unpriced = d.unpriced + c.more_unpriced,
    rated_amount = d.rated_amount + c.more, fee_amount = d.fee_amount + c.more_fee, due = d.due or c.due
  from (
    select client_id, usage_on, sum(usages) as usages, sum(more) as more, sum(more_fee) as more_fee, sum(more_unpriced) as more_unpriced,
      bool_or(due) as due
    from counted group by client_id, usage_on
  ) c
  where d.client_id = c.client_id and d.usage_on = c.usage_on;

  -- Last, so that ingestion waits only for this statement; rows that ingestion holds have just changed.
  with same as (
    select d.usage_on, d.panel_id, d.resource_ref, d.meter_id, c.without
    from (select x.*, false as without from unnest(v_priced) x union all select x.*, true from unnest(v_unpriced) x) c
    join usage_meter_days d on d.usage_on = c.usage_on and d.panel_id = c.panel_id and d.resource_ref = c.resource_ref
      and d.meter_id = c.meter_id and d.quantity = c.quantity and d.events = c.events
      and d.updated_at = c.updated_at
    where d.dirty or d.unpriced <> c.without
    for no key update of d skip locked
  )
  update usage_meter_days d set dirty = false, unpriced = s.without
  from same s
  where d.usage_on = s.usage_on and d.panel_id = s.panel_id and d.resource_ref = s.resource_ref and d.meter_id = s.meter_id;
  return query select v_rated, coalesce(cardinality(v_unpriced), 0), v_last.usage_on, v_last.panel_id, v_last.resource_ref;
end $$;
