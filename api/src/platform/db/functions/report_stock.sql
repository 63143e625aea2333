-- How things stood at the end of a UTC day, by currency; `docs/operations/money.md` says what each figure means.
create or replace function report_stock(p_day date) returns table (currency char(3), mrr numeric, panels int,
  paid_ahead numeric, owed numeric, payers int, payers_before int, lost int, joined int, departed int)
language sql stable set plan_cache_mode = force_custom_plan as $$
  with people as (
    select c.id, u.code::char(3) as currency, c.created_at, c.closed_at from clients c join currencies u on u.id = c.currency_id
    where c.kind = 'client'
  ), span as (
    select date_trunc('month', p_day)::timestamp at time zone z.zone as from_at, (p_day + 1)::timestamp at time zone z.zone as to_at,
      to_char(p_day, 'YYYY-MM') as month, to_char(date_trunc('month', p_day) - interval '1 day', 'YYYY-MM') as month_before
    from (select coalesce((select time_zone from operator_profile), 'utc') as zone) z
  ), running as (
    select o.currency, sum(x.monthly) as mrr, count(*)::int as panels
    from panel_plans h join panels p on p.id = h.panel_id join people o on o.id = p.client_id
      left join lateral plan_price(o.id, o.currency, h.plan_id, p_day) x on true
    where h.charged and h.during @> least(utc_start(p_day + 1), clock_now()) - interval '1 microsecond' group by 1
  ), held as (
    select h.currency, sum(h.balance) filter (where h.balance > 0) as paid_ahead, -sum(h.balance) filter (where h.balance < 0) as owed
    from (
      select a.currency, a.balance - coalesce(later.sum, 0) as balance
      from ledger_accounts a left join (
        select e.account_id, sum(e.amount) as sum from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.effective_on > p_day group by 1
      ) later on later.account_id = a.id
      where a.kind = 'client_balance'
    ) h group by 1
  ), charged as (
    select b.client_id, bool_or(b.period = s.month) as now, bool_or(b.period = s.month_before) as before
    from span s join lateral (
      select l.client_id, l.period from billing_logs l
      where l.kind = 'usage' and l.period in (s.month, s.month_before) group by 1, 2 having sum(l.net) < 0
    ) b on true group by 1
  ), paying as (
    select a.currency, count(*) filter (where c.now)::int as payers, count(*) filter (where c.before)::int as payers_before,
      count(*) filter (where c.before and not c.now)::int as lost
    from charged c join ledger_accounts a on a.client_id = c.client_id and a.kind = 'client_balance' group by 1
  ), moved as (
    select o.currency, count(*) filter (where o.created_at >= s.from_at and o.created_at < s.to_at)::int as joined,
      count(*) filter (where o.closed_at >= s.from_at and o.closed_at < s.to_at)::int as departed
    from people o, span s group by 1
  )
  select h.currency, coalesce(r.mrr, 0), coalesce(r.panels, 0), coalesce(h.paid_ahead, 0), coalesce(h.owed, 0),
    coalesce(p.payers, 0), coalesce(p.payers_before, 0),
    case when extract(day from p_day + 1) = 1 and p_day < clock_today() then coalesce(p.lost, 0) end,
    coalesce(m.joined, 0), coalesce(m.departed, 0)
  from held h left join running r on r.currency = h.currency left join paying p on p.currency = h.currency
    left join moved m on m.currency = h.currency
$$;
