-- The currencies of open accounts. Staff buy nothing, but a person who was a client before may still have money or panels. Credit of a
-- trial is no money.
create or replace function currencies_kept() returns setof text language sql stable as $$
  select distinct u.code::text from clients c join currencies u on u.id = c.currency_id
  where c.closed_at is null
    and (c.kind = 'client'
      or exists (select from ledger_accounts l where l.client_id = c.id and l.kind = 'client_balance' and l.balance <> 0)
      or exists (select from panels p where p.client_id = c.id and p.deleted_at is null))
$$;
