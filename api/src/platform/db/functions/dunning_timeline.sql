-- The dunning steps and their days if nothing is paid, by the rules of the job. While the balance is not
-- below zero they are projections.
create or replace function dunning_timeline(p_policy billing_policies, p_today date, p_held numeric, p_available numeric, p_daily numeric,
  p_negative_since date, p_exhaustion date, p_hold date, p_suspended_on date, p_trial_ends date)
returns jsonb language plpgsql immutable as $$
declare
  v_began date := coalesce(p_negative_since, p_exhaustion);
  v_low date := case when p_negative_since is null then p_exhaustion - (select max(d) from unnest(p_policy.low_days) d) end;
  v_warned date;
  v_suspended date;
begin
  if p_suspended_on is null then
    -- By days, or by the amount if that comes first.
    v_warned := least(v_began + p_policy.warn_days,
      case when p_held < p_policy.warn_below then p_today else exhaustion_date(p_available - p_policy.warn_below, p_daily, p_today) end);
    v_suspended := least(v_began + p_policy.suspend_days,
      case when p_held < -p_policy.credit_limit then p_today else exhaustion_date(p_available + p_policy.credit_limit, p_daily, p_today) end);
    v_suspended := greatest(v_suspended, p_hold + 1);
  else
    v_suspended := p_suspended_on;
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('step', x.step, 'on', x.at, 'reached', x.at <= p_today) order by x.at, x.place)
    from (values (0, 'trial_ends', p_trial_ends), (1, 'low', v_low), (2, 'negative', v_began), (3, 'warned', v_warned),
      (4, 'suspended', v_suspended), (5, 'terminated', v_suspended + p_policy.terminate_days)) x (place, step, at)
    where x.at is not null
  ), '[]');
end $$;
