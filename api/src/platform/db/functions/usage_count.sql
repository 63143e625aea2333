-- Counts the new events of a message and adds them to the sums of their days; returns their number. An event
-- occurs once per message. Messages of one engine are serialized, so that the lookup stays valid until the
-- insert: inserting with a conflict check costs half as much again. Plans are cached per connection: one made
-- while a day is empty would scan the whole day once it is full.
-- A day whose partition is from before migration 0290 continues to be counted by id. Keys are inserted in their
-- order, because they are random, and neighbours in the index are inserted fastest one after another.
create or replace function usage_count(p_engine bigint, p_days date[], p_ids text[], p_panels bigint[], p_resources text[],
  p_meters smallint[], p_starts timestamptz[], p_ends timestamptz[], p_quantities numeric[])
returns int language plpgsql set enable_seqscan = off as $$
declare
  v_keys uuid[] := array(select encode(substr(sha256(convert_to(p_engine || ':' || id, 'UTF8')), 1, 16), 'hex')::uuid
    from unnest(p_ids) with ordinality s (id, place) order by place);
  v_day date;
  v_by_id boolean;
  v_ids_there text[];
  v_keys_there uuid[];
  v_new int;
  v_sum int := 0;
begin
  perform pg_advisory_xact_lock(1645, p_engine::int);
  foreach v_day in array array(select distinct d from unnest(p_days) d order by d) loop
    perform usage_partitions(array[v_day]);
    v_by_id := exists (select from pg_inherits where inhparent = 'usage_events'::regclass
      and inhrelid = to_regclass('usage_events_' || to_char(v_day, 'YYYYMMDD')));
    v_ids_there := array(select event_id from usage_events
      where v_by_id and occurred_on = v_day and panel_engine_id = p_engine and event_id = any (p_ids));
    v_keys_there := array(select event_key from keyed_usage_events
      where not v_by_id and occurred_on = v_day and event_key = any (v_keys));
    with fresh as (
      select s.id, s.key, s.panel, s.resource, s.meter, s.starts, s.ends, s.quantity
      from unnest(p_days, p_ids, v_keys, p_panels, p_resources, p_meters, p_starts, p_ends, p_quantities)
        s (day, id, key, panel, resource, meter, starts, ends, quantity)
      where s.day = v_day and s.id not in (select t from unnest(v_ids_there) t)
        and s.key not in (select t from unnest(v_keys_there) t)
    ), by_id as (
      insert into usage_events (occurred_on, panel_engine_id, event_id, panel_id, resource_ref, meter_id, period_start,
        period_end, quantity)
      select v_day, p_engine, id, panel, resource, meter, starts, ends, quantity from fresh where v_by_id
    ), by_key as (
      insert into keyed_usage_events (occurred_on, panel_engine_id, event_key, panel_id, resource_ref, meter_id, period_start,
        period_end, quantity)
      select v_day, p_engine, key, panel, resource, meter, starts, ends, quantity from fresh where not v_by_id
      order by key
    ), added as (
      insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
      select v_day, panel, resource, meter, sum(quantity), count(*) from fresh group by 2, 3, 4 order by 2, 3, 4
      on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = d.quantity + excluded.quantity,
        events = d.events + excluded.events, dirty = true, updated_at = now()
    )
    select count(*) into v_new from fresh;
    v_sum := v_sum + v_new;
  end loop;
  return v_sum;
end $$;
