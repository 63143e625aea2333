-- Creates the missing partitions of these days. A table is created first and then attached, which does not
-- wait for writers to the other partitions.
create or replace function usage_partitions(p_days date[]) returns int language plpgsql as $$
declare
  v_day date;
  v_made int := 0;
  v_name text;
begin
  foreach v_day in array p_days loop
    v_name := 'usage_events_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass(v_name) is not null;
    perform pg_advisory_xact_lock(7067842304);
    continue when to_regclass(v_name) is not null;
    execute format('create table %I (like usage_events including defaults including constraints)', v_name);
    execute format('alter table usage_events attach partition %I for values from (%L) to (%L)', v_name, v_day, v_day + 1);
    v_made := v_made + 1;
  end loop;
  return v_made;
end $$;
