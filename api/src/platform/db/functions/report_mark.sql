-- Marks the days whose figures are to be computed: new ones, and those for which something was posted since the last time.
-- A posting changes how all later months ended. The margin is longer than any transaction: its age is that of its beginning.
create or replace function report_mark() returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_seen timestamptz;
  v_now constant timestamptz := clock_now();
  v_today constant date := clock_today();
  v_changed date[] := '{}';
begin
  select seen_at - interval '1 hour' into v_seen from report_state for update;
  if v_seen is not null then
    v_changed := array(select distinct d.day from ledger_transactions t
      left join usage_charges c on c.transaction_id = t.id
      cross join lateral (values (t.effective_on), (c.usage_on)) d (day)
      where t.created_at >= v_seen and d.day is not null);
  end if;
  insert into report_days (day)
    select d::date from generate_series(least(v_today,
      coalesce((select effective_on from ledger_transactions order by effective_on limit 1), v_today)), v_today, '1 day') d
    on conflict (day) do nothing;
  update report_days set stale = true
    where not stale and (day = any (v_changed) or day >= (v_seen at time zone 'utc')::date
      or (day >= (select min(d) from unnest(v_changed) d) and extract(day from day + 1) = 1));
  update report_state set seen_at = v_now;
end $$;
