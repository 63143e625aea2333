-- Clears the previous default card when another becomes the default.
create or replace function card_default_moves() returns trigger language plpgsql as $$
begin
  update cards set is_default = false where client_id = new.client_id and is_default and id <> new.id;
  return new;
end $$;
