-- A price that arrives late marks unpriced usage for rating, including usage that is being rated without it.
create or replace function prices_arrived() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7067842305);
  update usage_meter_days set dirty = true
    where unpriced and not dirty and meter_id = new.meter_id and new.valid @> usage_on;
  return null;
end $$;
