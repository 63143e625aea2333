-- Usage that is not charged yet: today's, and the open amounts of the earlier days that use may arrive for: `lateDays` of
-- usage/judged-events.ts.
create or replace function uncharged_use(p_client bigint, p_today date) returns numeric language sql stable as $$
  select coalesce(sum(rated_amount - charged_amount), 0) from usage_client_days
    where client_id = p_client and due and usage_on between p_today - 35 and p_today
$$;
