-- The plan by which a panel's meters are priced on a UTC day: the one with most hours, then the dearer, then the higher
-- id. Without an hour, the plan before; the plan after only for the day before its first, because use of earlier days was
-- that of a panel without a plan. Null: none.
create or replace function day_plan(p_panel bigint, p_day date) returns bigint language plpgsql stable
-- Planned once, because rating calls it for each panel and day; not to scan all of a table that was empty then.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_plans bigint[] := array(select distinct h.plan_id from panel_plans h
    where h.panel_id = p_panel and h.during && tstzrange(utc_start(p_day), utc_start(p_day + 1)));
begin
  if cardinality(v_plans) = 1 then return v_plans[1]; end if;
  if cardinality(v_plans) > 1 then
    return (select h.plan_id from plan_hours(array[p_panel], p_day, p_day, utc_start(p_day + 1)) h
      where h.held <> 0 order by bit_count(h.held::bit(24)) desc, h.monthly desc nulls first, h.plan_id desc limit 1);
  end if;
  return coalesce(
    (select h.plan_id from panel_plans h where h.panel_id = p_panel and lower(h.during) < utc_start(p_day)
      order by lower(h.during) desc limit 1),
    (select h.plan_id from panel_plans h where h.panel_id = p_panel and lower(h.during) < utc_start(p_day + 2)
      order by lower(h.during) limit 1));
end $$;
