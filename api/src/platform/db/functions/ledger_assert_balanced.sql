-- Rejects a commit with unbalanced books, whichever code writes them. The trigger also checks entries,
-- because an early check (`set constraints`) has already seen the transaction.
create or replace function ledger_assert_balanced() returns trigger language plpgsql as $$
declare
  v_transaction bigint;
  v_sum numeric;
  v_entries int;
begin
  if tg_table_name = 'ledger_transactions' then v_transaction := new.id;
  else v_transaction := new.transaction_id;
  end if;
  select sum(amount), count(*) into v_sum, v_entries from ledger_entries where transaction_id = v_transaction;
  if v_entries < 2 or v_sum <> 0 then
    raise exception 'ledger_unbalanced: ledger transaction % has % entries with the sum %', v_transaction, v_entries, v_sum
      using errcode = '23514';
  end if;
  return null;
end $$;
