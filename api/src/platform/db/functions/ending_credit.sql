-- The remaining expiring credit, in order of expiry: it is spent before credit without expiry.
create or replace function ending_credit(p_client bigint) returns table (grant_id bigint, expires_on date, remaining numeric)
language sql stable as $$
  select g.id, g.expires_on, least(a.balance, greatest(0, g.amount - greatest(0, spent.amount
    - coalesce(sum(g.amount) over (order by g.expires_on, g.id rows between unbounded preceding and 1 preceding), 0))))
  from promo_grants g
  join ledger_accounts a on a.client_id = g.client_id and a.kind = 'client_credit'
  cross join lateral (
    select coalesce(-sum(e.amount), 0) as amount
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.account_id = a.id and t.id > g.transaction_id and t.kind = 'usage'
  ) spent
  where g.client_id = p_client and g.ended_on is null
  order by g.expires_on, g.id
$$;
