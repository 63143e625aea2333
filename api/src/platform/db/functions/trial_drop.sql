-- Ends the trial of a person who becomes staff. What is left of its credit goes back by the end of credit, through the ledger.
create or replace function trial_drop(p_client bigint) returns void language sql volatile as $$
  update promo_grants set expires_on = least(expires_on, clock_today()) where client_id = p_client and ended_on is null;
  update account_balances set evaluate_due = true where client_id = p_client and credit_balance > 0;
  update clients set trial_ends_at = null, trial_credit_due = false
    where id = p_client and (trial_ends_at is not null or trial_credit_due);
  update client_features set enabled = false where client_id = p_client and feature = 'trial' and enabled;
$$;
