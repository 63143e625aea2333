-- The credit of a running trial that is given once the country is known, or with the first panel.
create or replace function trial_credit_waiting(p_client bigint) returns numeric language sql stable as $$
  select coalesce(sum(q.trial_credit), 0) from clients c join currency_policies q on q.currency_id = c.currency_id
  where c.id = p_client and c.trial_credit_due and c.trial_ended_on is null and c.trial_ends_at > clock_now()
$$;
