-- A published text never changes: people have accepted it as it is.
create or replace function published_text_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'published_text_closed: % of %', lower(tg_op), old.version using errcode = '55000';
end $$;
