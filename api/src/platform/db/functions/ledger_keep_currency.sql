-- The ledger has one currency, which is fixed after the first posting.
create or replace function ledger_keep_currency() returns trigger language plpgsql as $$
begin
  perform 1 from ledger_accounts where client_id = new.id order by id for update;
  if exists (select from ledger_accounts where client_id = new.id and version > 0) then
    raise exception 'ledger_currency_fixed: client % has entries in its currency', new.id using errcode = '23514',
      constraint = 'clients_currency_fixed';
  end if;
  update ledger_accounts set currency = (select code from currencies where id = new.currency_id)
    where client_id = new.id;
  return new;
end $$;
