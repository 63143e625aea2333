-- The day on which the available amount is exhausted. Credit that expires before it could be spent counts
-- only until its expiry; it is spent before money. Null when there is no usage, or when the amount lasts
-- longer than five years.
create or replace function exhaustion_date(p_available numeric, p_daily numeric, p_today date,
  p_ends date[] default '{}', p_credits numeric[] default '{}')
returns date language plpgsql immutable as $$
declare
  v_available numeric := p_available;
  v_ending numeric := 0;
  v_lost numeric := 0;
  v_days numeric := 0;
begin
  if p_daily <= 0 then return null; end if;
  if p_available <= 0 then return p_today; end if;
  -- In order of expiry.
  for i in 1 .. cardinality(p_ends) loop
    exit when floor(v_available / p_daily) <= p_ends[i] - p_today;
    v_days := greatest(p_ends[i] - p_today, 0);
    v_ending := v_ending + p_credits[i];
    v_lost := greatest(v_lost, v_ending - p_daily * v_days);
    v_available := p_available - v_lost;
  end loop;
  v_days := greatest(v_days, floor(v_available / p_daily));
  if v_days > (p_today + interval '5 years')::date - p_today then return null; end if;
  return p_today + v_days::int;
end $$;
