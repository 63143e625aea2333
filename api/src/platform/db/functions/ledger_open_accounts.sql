-- Opens the ledger accounts of new clients, for any number per statement.
create or replace function ledger_open_accounts() returns trigger language plpgsql as $$
begin
  insert into ledger_accounts (code, client_id, kind, currency, live_balance)
    select 'client:' || c.id || ':' || k.name, c.id, 'client_' || k.name, cur.code, true
    from added c join currencies cur on cur.id = c.currency_id
      cross join (values ('balance'), ('credit'), ('vat_due')) k (name)
    order by c.id, k.name;
  insert into account_balances (client_id) select id from added;
  return null;
end $$;
