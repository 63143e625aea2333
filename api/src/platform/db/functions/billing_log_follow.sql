create or replace function billing_log_follow() returns trigger language plpgsql as $$
begin
  insert into billing_logs (client_id, period, description_key, date, kind, net, ledger_transaction_id)
    select t.client_id, to_char(t.effective_on, 'YYYY-MM'), t.kind, t.effective_on, billing_log_kind(t.kind),
      sum(e.amount), t.id
    from added e
    join ledger_transactions t on t.id = e.transaction_id and t.kind <> 'usage'
    join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
    group by t.id
  on conflict (ledger_transaction_id) do update set net = billing_logs.net + excluded.net;
  return null;
end $$;
