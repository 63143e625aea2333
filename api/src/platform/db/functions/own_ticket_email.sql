create or replace function own_ticket_email() returns trigger language plpgsql as $$
begin
  new.added_by := coalesce(new.added_by, new.client_id);
  return new;
end $$;
