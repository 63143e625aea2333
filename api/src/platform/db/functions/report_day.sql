-- Computes the figures of a UTC day; computed again they are the same.
create or replace function report_day(p_day date) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  insert into report_days (day, stale, made_at) values (p_day, false, clock_now())
    on conflict (day) do update set stale = false, made_at = excluded.made_at;

  delete from report_postings where day = p_day;
  insert into report_postings (day, account, movement, currency, debit, credit)
    select p_day, case when a.client_id is null then a.code else a.kind || ':' || a.currency end,
      ledger_movement(t.kind, x.kind, coalesce(x.source_type, t.source_type)), a.currency,
      coalesce(-sum(e.amount) filter (where e.amount < 0), 0), coalesce(sum(e.amount) filter (where e.amount > 0), 0)
    from ledger_transactions t left join ledger_transactions x on x.id = t.reverses_id
      join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.effective_on = p_day group by 2, 3, 4;

  delete from report_plans where day = p_day;
  insert into report_plans (day, currency, plan_id, fees, metered)
    with used as (
      select u.panel_id, u.currency, p.id as of_plan, sum(u.charged_amount) as amount
      from usages u left join plans p on u.resource_ref = 'plan/' || p.code
      where u.usage_on = p_day and u.charged_amount <> 0 group by 1, 2, 3
    )
    select p_day, currency, coalesce(of_plan, day_plan(panel_id, p_day)), coalesce(sum(amount) filter (where of_plan is not null), 0),
      coalesce(sum(amount) filter (where of_plan is null), 0)
    from used group by 2, 3;

  delete from report_stocks where day = p_day;
  -- Documents may be of a day that is still to come; balances are not.
  if p_day = clock_today() or (p_day < clock_today() and extract(day from p_day + 1) = 1) then
    insert into report_stocks (day, currency, mrr, panels, paid_ahead, owed, payers, payers_before, lost, joined, departed)
      select p_day, s.currency, s.mrr, s.panels, s.paid_ahead, s.owed, s.payers, s.payers_before, s.lost, s.joined, s.departed
      from report_stock(p_day) s;
  end if;
end $$;
