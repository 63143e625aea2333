-- Brings the plan hours of panels' days to where they stand, and returns how many sums differed. They follow from the
-- history and the prices alone: repeated, interrupted or run twice at once it ends the same.
create or replace function plan_feed(p_panels bigint[], p_from date, p_to date, p_now timestamptz) returns int
language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_meter constant smallint := (select id from meters where code = 'plan_hours');
  v_changed int;
begin
  -- Two feeders take turns for each panel.
  perform 1 from panels where id = any (p_panels) order by id for no key update;
  with stands as (
    select h.panel_id, h.day, 'plan/' || p.code as resource_ref, h.charged as slots
    from plan_hours(p_panels, p_from, p_to, p_now) h join plans p on p.id = h.plan_id
  ), stood as (
    select d.panel_id, d.usage_on as day, d.resource_ref, d.slots
    from generate_series(p_from::timestamp, p_to::timestamp, interval '1 day') x, unnest(p_panels) k (panel_id), usage_meter_days d
    where d.usage_on = x::date and d.panel_id = k.panel_id and d.meter_id = v_meter
  ), written as (
    insert into usage_meter_days as s (usage_on, panel_id, resource_ref, meter_id, quantity, slots, events)
    select day, panel_id, resource_ref, v_meter, bit_count(coalesce(n.slots, 0)::bit(24)), coalesce(n.slots, 0), 1
    from stands n full join stood o using (day, panel_id, resource_ref)
    where coalesce(n.slots, 0) <> coalesce(o.slots, 0)
    order by 1, 2, 3
    -- Hours may change while their number does not: the count of writes shows rating that they did.
    on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = excluded.quantity,
      slots = excluded.slots, events = s.events + 1, dirty = true, updated_at = now()
    returning 1
  )
  select count(*) into v_changed from written;
  return v_changed;
end $$;
