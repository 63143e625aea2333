-- Marks the days whose figures are to be computed: new ones, and those for which something was posted or a document was issued
-- since the last time. A posting changes how all later months ended. The margin is longer than any transaction: its age is that
-- of its beginning.
create or replace function report_mark() returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_seen timestamptz;
  v_now constant timestamptz := clock_now();
  v_today constant date := clock_today();
  v_changed date[] := '{}';
  v_issued date[] := '{}';
begin
  select seen_at - interval '1 hour' into v_seen from report_state for update;
  if v_seen is not null then
    v_changed := array(select distinct d.day from ledger_transactions t
      left join usage_charges c on c.transaction_id = t.id
      cross join lateral (values (t.effective_on), (c.usage_on)) d (day)
      where t.created_at >= v_seen and d.day is not null);
    -- A document has the operator's day of its issue, which may be a day off the UTC day.
    v_issued := array(select distinct d.day from invoices i
      cross join lateral (values (i.issue_date), (i.tax_point_date), ((i.issued_at at time zone 'utc')::date)) d (day)
      where i.issued_at is not null and i.kind <> 'proforma' and i.issue_date >= (v_seen at time zone 'utc')::date - 1
        and i.issued_at >= v_seen and d.day is not null);
  end if;
  -- The operator's day may be ahead, and a tax point before everything in the ledger.
  insert into report_days (day)
    select d::date from generate_series(least(v_today,
        (select effective_on from ledger_transactions order by effective_on limit 1),
        (select min(tax_point_date) from invoices where issued_at is not null and kind <> 'proforma'),
        (select min(issue_date) from invoices where issued_at is not null and kind <> 'proforma')),
      greatest(v_today,
        (select max(tax_point_date) from invoices where issued_at is not null and kind <> 'proforma'),
        (select max(issue_date) from invoices where issued_at is not null and kind <> 'proforma')), '1 day') d
    on conflict (day) do nothing;
  update report_days set stale = true
    where not stale and (day = any (v_changed) or day = any (v_issued) or day >= (v_seen at time zone 'utc')::date
      or (day >= (select min(d) from unnest(v_changed) d) and extract(day from day + 1) = 1));
  update report_state set seen_at = v_now;
end $$;
