import { sql } from 'kysely'
import type { Measure } from '#platform/http/measures.ts'
import { isDead } from '#staff/dead-jobs.ts'
import { notStaff } from '#staff/roles.ts'
import { waitsForStaff } from '#tickets/actions.ts'
import { dueAt } from '#tickets/service-levels.ts'

// Business metrics go by the clock of the business, which a demo can move; those of the machinery by that of the database.

const machinery: readonly Measure[] = [
  {
    name: 'portico_letters',
    help: 'Letters due, delayed, and given up within a day after their errors.',
    labels: ['state'],
    sql: sql`select state, value from (select count(*) filter (where failed_at is null and send_at <= now())::int as waiting,
        count(*) filter (where failed_at is null and send_at > now())::int as delayed,
        count(*) filter (where failed_at > now() - interval '1 day' and last_error is not null)::int as failed
        from outbox_letters where sent_at is null) l,
      lateral (values ('waiting', waiting), ('delayed', delayed), ('failed', failed)) v (state, value)`,
  },
  {
    name: 'portico_engine_up',
    help: 'Whether a panel engine answered its last health check: 1 or 0.',
    labels: ['engine'],
    sql: sql`select code as engine, (health = 'up')::int as value from panel_engines
      where disabled_at is null and health <> 'unknown'`,
  },
  {
    name: 'portico_check',
    help: 'The result of a check of the portal, as on the page of checks: 0 good, 1 hint, 2 warn, 3 stop.',
    labels: ['check'],
    sql: sql`select about as check, max(case state when 'stop' then 3 when 'warn' then 2 when 'hint' then 1 else 0 end) as value
      from checks group by about`,
  },
  {
    name: 'portico_dead_jobs',
    help: 'Jobs that have used all their attempts, by task.',
    labels: ['task'],
    sql: sql`select task_identifier as task, count(*)::int as value from graphile_worker.jobs j
      where ${isDead('j')} group by 1`,
  },
  {
    name: 'portico_job_age_seconds',
    help: 'The time for which the oldest waiting job has been due.',
    labels: [],
    // Failed jobs that will be retried count, running ones do not.
    sql: sql`select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as value
      from graphile_worker._private_jobs where run_at <= now() and locked_at is null and attempts < max_attempts`,
  },
  {
    name: 'portico_usage_problems',
    help: 'Usage sums without a price, and usage events rejected within a day.',
    labels: ['problem'],
    // The first is not charged, and the second is revenue that is not billed.
    sql: sql`select 'unpriced' as problem, count(*)::int as value from usage_meter_days where unpriced
      union all select 'refused', count(*)::int from usage_rejections where last_at > now() - interval '1 day'`,
  },
  {
    name: 'portico_usage_lag_seconds',
    help: 'The age of the time up to which an engine has reported all usage.',
    labels: ['engine'],
    sql: sql`select e.code as engine, greatest(extract(epoch from clock_now() - w.through), 0)::float8 as value
      from engine_watermarks w join panel_engines e on e.id = w.panel_engine_id where e.disabled_at is null`,
  },
  {
    name: 'portico_staff_alerts',
    help: 'Open staff alerts.',
    labels: [],
    sql: sql`select count(*)::int as value from staff_alerts where resolved_at is null`,
  },
  {
    name: 'portico_exchange_rate_age_seconds',
    help: 'The age of the newest exchange rate of a currency, from the start of its day.',
    labels: ['currency'],
    // Without any rate the age is infinite, so that one alert rule is enough.
    sql: sql`select base as currency,
      greatest(coalesce(extract(epoch from clock_now() - newest), 'infinity'), 0)::float8 as value
      from fx_needs where used`,
  },
  {
    name: 'portico_usage_kept_seconds',
    help: 'The age of the oldest day of usage in the database; it exceeds the retention when archiving fails.',
    labels: [],
    sql: sql`select extract(epoch from clock_now() - min(day))::float8 as value
      from usage_days_before(clock_today()) having count(*) > 0`,
  },
  {
    name: 'portico_backup_age_seconds',
    help: 'The time since the last backup by the portal was complete; missing before the first one.',
    labels: [],
    sql: sql`select greatest(extract(epoch from now() - (value #>> '{}')::timestamptz), 0)::float8 as value
      from settings where key = 'backup_at'`,
  },
]

const business: readonly Measure[] = [
  {
    name: 'portico_signups',
    help: 'People who registered in the last 24 hours.',
    labels: [],
    sql: sql`select count(*)::int as value from clients c
      where c.created_at > clock_now() - interval '1 day' and c.created_at <= clock_now() and ${notStaff('c')}`,
  },
  {
    name: 'portico_charged',
    help: 'The amount charged for the usage of the last full day.',
    labels: ['currency'],
    sql: sql`select u.code as currency, sum(x.amount)::float8 as value from usage_charges x
      join clients c on c.id = x.client_id join currencies u on u.id = c.currency_id
      where x.usage_on = clock_today() - 1 group by 1`,
  },
  {
    name: 'portico_payments',
    help: 'Payments that were begun in the last 24 hours, by their state now.',
    labels: ['state'],
    sql: sql`select status as state, count(*)::int as value from payments
      where begun_at > clock_now() - interval '1 day' group by 1`,
  },
  {
    name: 'portico_refunded',
    help: 'The amount refunded in the last 24 hours.',
    labels: ['currency'],
    sql: sql`select p.currency, sum(r.gross)::float8 as value from payment_refunds r join payments p on p.id = r.payment_id
      where r.status = 'succeeded' and r.created_at > clock_now() - interval '1 day' group by 1`,
  },
  {
    name: 'portico_debt',
    help: 'The amount that clients owe, by how many days ago their debt began.',
    labels: ['currency', 'days'],
    sql: sql`select u.code as currency, case when age <= 7 then '0-7' when age <= 30 then '8-30' when age <= 90 then '31-90'
        else 'over 90' end as days, sum(owed)::float8 as value
      from (select client_id, -(account_balance + credit_balance) as owed,
          clock_today() - coalesce(negative_since, clock_today()) as age
        from account_balances where account_balance + credit_balance < 0) b
      join clients c on c.id = b.client_id join currencies u on u.id = c.currency_id group by 1, 2 order by 1, 2`,
  },
  {
    name: 'portico_panels',
    help: 'Panels by status.',
    labels: ['status'],
    sql: sql`select status, count(*)::int as value from panels where deleted_at is null group by 1 order by 1`,
  },
  {
    name: 'portico_tickets',
    help: 'Tickets that wait for staff: all, those without an assignee, and those past a deadline.',
    labels: ['state'],
    // A deadline is a moment of the real clock, which a demo does not move.
    sql: sql`select state, value from (select count(*)::int as waiting,
        count(*) filter (where assigned_admin_id is null)::int as unassigned,
        count(*) filter (where ${dueAt('t')} < now())::int as overdue
        from tickets t where ${waitsForStaff('t')}) t,
      lateral (values ('waiting', waiting), ('unassigned', unassigned), ('overdue', overdue)) v (state, value)`,
  },
]

/** The metrics of the whole portal, the same from every replica. */
export const measures: readonly Measure[] = [...machinery, ...business]
