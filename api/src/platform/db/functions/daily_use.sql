-- An account's daily usage: the present fees of its plans, and its metered use at their prices, as the mean of the last seven
-- complete UTC days, or of as many as there are since its first use; before the first complete day, today's extrapolated.
create or replace function daily_use(p_client bigint, p_now timestamptz, out amount numeric, out basis_days int)
language plpgsql stable as $$
declare
  v_today date := (p_now at time zone 'utc')::date;
  v_first date;
  v_begun timestamptz;
begin
  amount := fee_daily(p_client, v_today);
  basis_days := 0;
  select usage_on into v_first from usage_client_days
    where client_id = p_client and usages > 0 and usage_on <= v_today order by usage_on limit 1;
  if v_first is null then return; end if;
  basis_days := least(7, v_today - v_first);
  if basis_days > 0 then
    select amount + round(coalesce(sum(rated_amount - fee_amount), 0) / basis_days, 6) + plan_use_shift(p_client, basis_days)
      into amount from usage_client_days
      where client_id = p_client and usage_on >= v_today - basis_days and usage_on < v_today;
    return;
  end if;
  select min(p.created_at) into v_begun
    from usage_panel_days d join panels p on p.id = d.panel_id where d.client_id = p_client and d.usage_on = v_today;
  -- At least an hour, so that the first minutes are not extrapolated to a huge amount.
  select amount + round(24 * (rated_amount - fee_amount) / greatest(1, extract(epoch from p_now
      - greatest(v_begun, v_today::timestamp at time zone 'utc')) / 3600), 6)
    into amount from usage_client_days where client_id = p_client and usage_on = v_today;
end $$;
