-- A monthly price that arrives late marks hours that had none for rating, including those that are being rated without it.
create or replace function plan_prices_arrived() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7067842305);
  update usage_meter_days d set dirty = true from plans p, meters m
    where p.id = new.plan_id and m.code = 'plan_hours' and d.meter_id = m.id and d.unpriced and not d.dirty
      and d.resource_ref = 'plan/' || p.code and new.valid @> d.usage_on;
  return null;
end $$;
