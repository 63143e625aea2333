-- Rates depend on the currency of the operator, so they are fetched as soon as it is known.
create or replace function fx_fetch() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('fx.fetch', '{}'::json, job_key => 'fx.fetch', max_attempts => 8);
  return null;
end $$;
