create or replace function tickets_count() returns trigger language plpgsql as $$
begin
  -- Two tickets of an account that swap status would otherwise deadlock on each other's counts.
  perform pg_advisory_xact_lock(21, (coalesce(new.client_id, old.client_id) % 2147483647)::int);
  if tg_op <> 'INSERT' then perform ticket_counted(old, -1); end if;
  if tg_op <> 'DELETE' then perform ticket_counted(new, 1); end if;
  return null;
end $$;
