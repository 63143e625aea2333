-- Notes how a change of a payment changes the counts of payments, by UTC day.
create or replace function payments_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into payment_counts (created_at, status, many) values (date_trunc('day', old.created_at, 'UTC'), old.status, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into payment_counts (created_at, status, many) values (date_trunc('day', new.created_at, 'UTC'), new.status, 1);
  end if;
  return null;
end $$;
