-- The billing policies with the amounts of a currency.
create or replace function policies_in(p_currency bigint) returns billing_policies language plpgsql stable as $$
declare
  v_policy billing_policies := (select p from billing_policies p);
begin
  select q.trial_credit, q.warn_below, q.credit_limit into v_policy.trial_credit, v_policy.warn_below, v_policy.credit_limit
    from currency_policies q where q.currency_id = p_currency;
  return v_policy;
end $$;
