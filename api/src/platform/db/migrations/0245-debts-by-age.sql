-- expand
-- Accounts below zero, the oldest debt first.
create index concurrently account_balances_owed on account_balances (negative_since, id)
  where account_balance + credit_balance < 0;
