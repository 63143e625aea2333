-- Rejects rows of an account that was closed meanwhile: the key share lock waits for the closing, and the
-- retry of the serialization failure meets a closed account.
create or replace function refuse_closed() returns trigger language plpgsql as $$
begin
  if (select closed_at from clients where id = new.client_id for key share) is not null then
    raise exception 'the account is closed' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
