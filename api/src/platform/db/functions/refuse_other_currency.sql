-- Rejects money in another currency than the account's: the key share lock waits for a change of it, and the retry of the
-- serialization failure meets the new one.
create or replace function refuse_other_currency() returns trigger language plpgsql as $$
begin
  perform 1 from clients where id = new.client_id for key share;
  if (select u.code from clients c join currencies u on u.id = c.currency_id where c.id = new.client_id) <> new.currency then
    raise exception 'the account is in another currency' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
