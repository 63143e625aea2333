create or replace function ledger_project() returns trigger language plpgsql as $$
begin
  update account_balances b set
    account_balance = b.account_balance + s.balance,
    credit_balance = b.credit_balance + s.credit,
    negative_since = case when b.account_balance + b.credit_balance + s.balance + s.credit < 0
      then coalesce(b.negative_since, s.owed_since) end
  from (
    select a.client_id, min(ledger_owed_since(t.kind, t.effective_on, t.created_at)) as owed_since,
      coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0) as balance,
      coalesce(sum(e.amount) filter (where a.kind = 'client_credit'), 0) as credit
    from added e
    join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
    join ledger_transactions t on t.id = e.transaction_id
    group by a.client_id
  ) s
  where b.client_id = s.client_id;
  return null;
end $$;
