-- A row of clients has the kind of its login, also where it was written without one.
create or replace function clients_kind() returns trigger language plpgsql as $$
begin
  new.kind := coalesce((select kind from auth_accounts where id = new.auth_id), new.kind);
  return new;
end $$;
