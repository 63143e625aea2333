-- Creates the missing partitions of these days; a day that has one by id keeps it. A table is created first and
-- then attached, which does not wait for writers to the other partitions.
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
    -- A session that waited for another one still remembers that there was no such name, so the rows are read.
    continue when exists (select from pg_class where relname = v_name and relnamespace = 'public'::regnamespace);
    execute format('create table %I (like keyed_usage_events including defaults including constraints)', v_name);
    execute format('alter table keyed_usage_events attach partition %I for values from (%L) to (%L)', v_name, v_day, v_day + 1);
    v_made := v_made + 1;
  end loop;
  return v_made;
end $$;
