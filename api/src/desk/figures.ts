import type { deskHome } from '@portico/contract/resources/desk-home.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { notStaff } from '#staff/roles.ts'

type Figures = z.input<typeof deskHome.actions.figures.output>

/**
 * The figures of the operator's month so far and of the same days of the month before, in one statement. Use counts by
 * its UTC day, everything else by the operator's. MRR is that of the reports: `report_stock` alone defines it.
 */
export async function figures({ tx }: Pick<Context, 'tx'>): Promise<Figures> {
  const { rows } = await sql<{ figures: Figures }>`
    with days as (
      select today, zone, date_trunc('month', today)::date as first from (
        select coalesce((select time_zone from operator_profile), 'utc') as zone) z,
        lateral (select (clock_now() at time zone zone)::date as today) t
    ), spans as (
      select first as this_from, today as this_to, (first - interval '1 month')::date as last_from,
        least((first - interval '1 month')::date + (today - first), first - 1) as last_to, zone from days
    ), moments as (
      select *, this_from::timestamp at time zone zone as now_from, (this_to + 1)::timestamp at time zone zone as now_to,
        last_from::timestamp at time zone zone as then_from, (last_to + 1)::timestamp at time zone zone as then_to from spans
    ), people as (
      select c.id, u.code as currency, c.created_at, c.closed_at from clients c join currencies u on u.id = c.currency_id
      where ${notStaff('c')}
    ), amounts as (
      select p.currency, u.usage_on between s.this_from and s.this_to as is_now, u.amount as charged, 0 as received, 0 as owed, u.usage_on as day
      from spans s join usage_charges u on u.usage_on between s.this_from and s.this_to
        or u.usage_on between s.last_from and s.last_to join people p on p.id = u.client_id
      union all
      select p.currency, p.settled_at >= m.now_from, 0, p.gross, 0, null from moments m join payments p
        on (p.settled_at >= m.now_from and p.settled_at < m.now_to) or (p.settled_at >= m.then_from and p.settled_at < m.then_to)
      union all
      select p.currency, r.created_at >= m.now_from, 0, -r.gross, 0, null from moments m join payment_refunds r
        on r.status = 'succeeded' and ((r.created_at >= m.now_from and r.created_at < m.now_to)
          or (r.created_at >= m.then_from and r.created_at < m.then_to)) join payments p on p.id = r.payment_id
      union all
      select p.currency, true, 0, 0, -(b.account_balance + b.credit_balance), null from account_balances b
        join people p on p.id = b.client_id where b.account_balance + b.credit_balance < 0
    ), spent as (
      select currency, day, sum(charged) as charged from amounts where is_now and day is not null group by currency, day
    ), by_day as (
      select c.currency, json_agg(coalesce(x.charged, 0) order by g.day) as charged_by_day
      from spans s cross join lateral generate_series(s.this_from::timestamp, s.this_to, interval '1 day') g (day)
        cross join (select distinct currency from spent) c
        left join spent x on x.currency = c.currency and x.day = g.day::date
      group by c.currency
    ), totals as (
      select currency, coalesce(sum(charged) filter (where is_now), 0) as charged,
        coalesce(sum(charged) filter (where not is_now), 0) as charged_before,
        coalesce(sum(received) filter (where is_now), 0) as received,
        coalesce(sum(received) filter (where not is_now), 0) as received_before,
        sum(owed) as owed, count(*) filter (where owed > 0) as owing
      from amounts group by currency
    ), filled as (
      select max(day) as day from report_stocks where day <= clock_today()
    ), stocks as (
      select r.currency, sum(r.mrr) filter (where r.day = f.day) as mrr,
        sum(r.mrr) filter (where r.day = s.this_from - 1) as mrr_before
      from spans s, filled f, report_stocks r where r.day in (f.day, s.this_from - 1) group by r.currency
    ), money as (
      select currency, coalesce(t.charged, 0) as charged, coalesce(t.charged_before, 0) as charged_before,
        coalesce(t.received, 0) as received, coalesce(t.received_before, 0) as received_before,
        coalesce(t.owed, 0) as owed, coalesce(t.owing, 0) as owing, k.mrr, k.mrr_before,
        coalesce(d.charged_by_day, '[]') as charged_by_day
      from totals t full join (select * from stocks where mrr <> 0 or currency in (select currency from totals)) k
        using (currency) left join by_day d using (currency)
    )
    select json_build_object(
      'now', json_build_object('from', m.this_from, 'to', m.this_to),
      'before', json_build_object('from', m.last_from, 'to', m.last_to),
      'money', coalesce((select json_agg(to_json(o) order by o.currency) from money o), '[]'),
      'joined', (select json_build_object(
        'now', count(*) filter (where p.created_at >= m.now_from and p.created_at < m.now_to),
        'before', count(*) filter (where p.created_at >= m.then_from and p.created_at < m.then_to)) from people p),
      'left', (select json_build_object(
        'now', count(*) filter (where p.closed_at >= m.now_from and p.closed_at < m.now_to),
        'before', count(*) filter (where p.closed_at >= m.then_from and p.closed_at < m.then_to)) from people p)
    ) as figures from moments m`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The statement always has one row.')
  return row.figures
}
