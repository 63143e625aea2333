-- Requests exchange rates as soon as the operator's currency is known.
create or replace function fx_fetch() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('fx.fetch', '{}'::json, job_key => 'fx.fetch', max_attempts => 8);
  return null;
end $$;
