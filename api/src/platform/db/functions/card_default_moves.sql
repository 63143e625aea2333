-- The default moves: whatever names a new one takes it from the one before.
create or replace function card_default_moves() returns trigger language plpgsql as $$
begin
  update cards set is_default = false where client_id = new.client_id and is_default and id <> new.id;
  return new;
end $$;
