import { type RawBuilder, sql } from 'kysely'
import { waitsForBill } from './disputed.ts'

/** SQL: the operator's day as the close of the month counts it, from a row `operator_profile p`: it begins at three o'clock. */
export const bookedDay = sql`((clock_now() at time zone p.time_zone) - interval '3 hours')::date`

/** SQL: the first day after the operator's last month, by `bookedDay`; null without an operator. */
export const monthEnd = sql`(select date_trunc('month', ${bookedDay})::date from operator_profile p)`

/**
 * SQL: what a bill of the month that ends before a day has to ask for, with `client_id`, `amount` and `day`: charges that are on no
 * bill, and used parts of deposits that their bank took back, of clients who have no bill of the month.
 */
export const openItems = (until: RawBuilder<unknown>) => sql`select c.client_id, c.amount, c.day from (
    select u.client_id, u.amount, u.usage_on as day from usage_charges u
      where u.service_bill_id is null and u.usage_on < ${until}
    union all select d.client_id, d.net, d.lost_on from dispute_parts d where ${waitsForBill} and d.lost_on < ${until}
  ) c where not exists (select from invoices i
    where i.client_id = c.client_id and i.reason = 'service_bill' and upper(i.period) = ${until})`
