import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'

/** The days of the past that the chart of a balance shows. */
const daysShown = 60

/**
 * Balance and credit at the end of each of the last days, from now backwards: entries of the billing log count on
 * their date, and usage on its day. Days before the account existed are left out.
 */
export async function balanceDays(
  { tx }: Pick<Context, 'tx'>,
  clientId: number,
): Promise<{ days: { on: string; held: number }[] }> {
  const { rows } = await sql<{ on: string; held: number }>`
    with moves as (
      select date as on, net from billing_logs
      where client_id = ${clientId} and kind <> 'usage' and date > clock_today() - ${daysShown}::int
      union all
      select usage_on, -amount from usage_charges
      where client_id = ${clientId} and usage_on > clock_today() - ${daysShown}::int
    ), daily as (select m.on, sum(m.net) as net from moves m group by m.on)
    select d.on::text as on, (b.account_balance + b.credit_balance
      - coalesce((select sum(later.net) from daily later where later.on > d.on), 0))::float8 as held
    from account_balances b join clients c on c.id = b.client_id
      cross join lateral (select x::date as on from generate_series(
        greatest(clock_today() - ${daysShown - 1}::int, (c.created_at at time zone 'utc')::date)::timestamp,
        clock_today()::timestamp, interval '1 day') x) d
    where b.client_id = ${clientId} order by d.on`.execute(tx)
  return { days: rows }
}
