-- A member whose rights changed has them from now on, unless the statement itself says since when.
create or replace function admins_rights() returns trigger language plpgsql as $$
begin
  if new.rights_since is not distinct from old.rights_since then
    new.rights_since := now();
  end if;
  return new;
end $$;
