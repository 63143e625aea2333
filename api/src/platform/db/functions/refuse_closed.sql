-- What was begun before an account was closed does not end in it afterwards: whoever comes second waits, and is told to begin
-- anew, which they cannot any more.
create or replace function refuse_closed() returns trigger language plpgsql as $$
begin
  if (select closed_at from clients where id = new.client_id for key share) is not null then
    raise exception 'the account is closed' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
