-- Refuses that the last active administrator leaves. Two who leave at once are ordered by the lock, and the statement
-- after it sees what the other committed.
create or replace function admins_last() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('admins_last'));
  if not exists (select from admins a join auth_accounts i on i.id = a.auth_id
    where a.role = 'admin' and a.disabled_at is null and i.disabled_at is null) then
    raise exception 'admins_last' using errcode = '23514', constraint = 'admins_last';
  end if;
  return null;
end $$;
