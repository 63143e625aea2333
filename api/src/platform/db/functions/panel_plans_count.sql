-- Follows a change of the history: brings the hours of its panels' days to where they stand, and marks what else those
-- days have for rating, because another plan may price it.
create or replace function panel_plans_count() returns trigger language plpgsql
-- Planned for each call, because one change has few panels and another thousands.
set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_now constant timestamptz := clock_now();
  v_today constant date := (clock_now() at time zone 'utc')::date;
  v_panels bigint[];
  v_from date;
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct panel_id), min(lower(during) at time zone 'utc')::date into v_panels, v_from from added;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct panel_id), min(lower(during) at time zone 'utc')::date into v_panels, v_from from removed;
  else
    -- Where only the end moved, what was before both ends stays.
    select array_agg(distinct panel_id), min(case when o.same then least(coalesce(upper(o.during), v_now), coalesce(upper(n.during), v_now))
        else least(lower(o.during), lower(n.during)) end at time zone 'utc')::date into v_panels, v_from
    from added n join (select r.*, exists (select from added a where a.id = r.id and (a.panel_id, a.plan_id, a.charged,
      lower(a.during)) = (r.panel_id, r.plan_id, r.charged, lower(r.during))) as same from removed r) o using (id, panel_id);
  end if;
  if v_panels is null then return null; end if;
  perform plan_feed(v_panels, v_from, v_today, v_now);
  -- By the moment rating sees that a sum was marked while it was at it. In the order of ingestion, which avoids deadlocks.
  update usage_meter_days d set dirty = true, updated_at = clock_timestamp()
  from (
    select s.usage_on, s.panel_id, s.resource_ref, s.meter_id
    from generate_series(v_from - 1, v_today + 1, interval '1 day') x, unnest(v_panels) k (panel_id), usage_meter_days s
    where s.usage_on = x::date and s.panel_id = k.panel_id and s.slots is null
    order by 1, 2, 3, 4 for no key update of s
  ) m
  where (d.usage_on, d.panel_id, d.resource_ref, d.meter_id) = (m.usage_on, m.panel_id, m.resource_ref, m.meter_id);
  return null;
end $$;
