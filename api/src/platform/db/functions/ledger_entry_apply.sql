-- Before an entry is inserted: requires that its transaction is still open and has the account's client, and
-- updates the running balance.
create or replace function ledger_entry_apply() returns trigger language plpgsql as $$
declare
  v_transaction record;
  v_client bigint;
begin
  select written_by, client_id into v_transaction from ledger_transactions where id = new.transaction_id;
  if v_transaction.written_by is distinct from pg_current_xact_id() then
    raise exception 'ledger_transaction_closed: ledger transaction % cannot grow', new.transaction_id using errcode = '23514';
  end if;
  new.balance_after := null;
  update ledger_accounts set balance = balance + new.amount, version = version + 1
    where id = new.account_id and live_balance
    returning balance, client_id into new.balance_after, v_client;
  if v_client is not null and v_client is distinct from v_transaction.client_id then
    raise exception 'ledger_foreign_account: ledger transaction % is of another client than account %',
      new.transaction_id, new.account_id using errcode = '23514';
  end if;
  return new;
end $$;
