create or replace function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
