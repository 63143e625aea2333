-- expand
-- Events by a key of 16 bytes instead of the id, which is up to 200 characters and is stored in the index again. Days that
-- have events in `usage_events` stay there until they are archived; all others get a partition here. Partitions of both
-- tables have the same names, so a day has only one, whichever version creates it.
create table keyed_usage_events (
  -- The first 16 bytes of the SHA-256 of the engine's id and the event's.
  event_key uuid not null,
  panel_engine_id bigint not null,
  panel_id bigint not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  received_at timestamptz not null default now(),
  -- After the columns of eight bytes, so that no row is padded.
  occurred_on date not null,
  meter_id smallint not null,
  resource_ref text not null,
  quantity numeric(20, 6) not null,
  primary key (occurred_on, event_key)
) partition by range (occurred_on);

-- Partitions without events, such as those of the coming week, make room. The version before creates what it misses.
lock table usage_events in access exclusive mode;
do $$
declare
  v_partition regclass;
  v_is_empty boolean;
begin
  for v_partition in select inhrelid::regclass from pg_inherits where inhparent = 'usage_events'::regclass loop
    execute format('select not exists (select from %s)', v_partition) into v_is_empty;
    if v_is_empty then execute format('drop table %s', v_partition); end if;
  end loop;
end $$;
