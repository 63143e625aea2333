-- The sum, in whole cents, that an account is missing to pay for the policy's days of its daily use and so much more. Zero if
-- nothing is used, and if automatic payment has proved itself and its monthly cap allows the sum. It has proved itself if the last
-- payment by one of its cards succeeded: turning it off and on forgets the failures, and a card that never paid may be empty. So
-- this asks for more than billing-profiles.automatic_works, which says that the next charge has a card.
create or replace function money_missing(p_client bigint, p_more numeric) returns numeric language sql stable as $$
  select case when n.need <= 0 or exists (
      select from automated_billing_rules r
      join cards k on k.id in (r.card_id, r.fallback_card_id) and k.status = 'active'
      cross join lateral (
        select p.status from payments p where p.client_id = p_client and p.card_id = k.id
          and (p.settled_at is not null or payment_declined(p))
        order by p.id desc limit 1
      ) last
      where last.status in ('succeeded', 'partially_refunded', 'refunded') and r.client_id = p_client and r.enabled and r.status = 'active' and r.failures = 0 and not r.use_fallback
        and b.billing_complete and (r.monthly_cap is null or r.monthly_cap >= n.missing + charged_this_month(p_client))
    ) then 0 else n.missing end
  from billing_profiles b
  cross join lateral (select days_ahead * (b.daily_use + p_more) as need from billing_policies) w
  cross join lateral (
    select w.need, greatest(ceil(100 * (w.need - b.available - b.trial_credit_waiting)) / 100, 0) as missing
  ) n
  where b.id = p_client
$$;
