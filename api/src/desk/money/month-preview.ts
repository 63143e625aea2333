import { type monthCloses, mostPreviewed } from '@portico/contract/resources/month-closes.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { monthEnd, openItems } from '#money/invoices/month/open-items.ts'
import { billingGaps } from '#money/invoices/parties.ts'
import type { Context } from '#platform/context.ts'
import { clientName } from './client-name.ts'

type Preview = z.input<typeof monthCloses.actions.preview.output>

/** SQL: what the close of the month has to bill, by client. */
export const openMonth = openItems(monthEnd)

/** The bill that the close of the month would make, and the details that it lacks. */
export async function previewMonth({ tx }: Pick<Context, 'tx'>): Promise<Preview> {
  const { rows } = await sql<Preview>`
    with waiting as materialized (
      select o.client_id, sum(o.amount) as net from (${openMonth}) o group by o.client_id
    ), known as materialized (
      select w.client_id, w.net, u.code as currency from waiting w join clients k on k.id = w.client_id
        join currencies u on u.id = k.currency_id
    ), detailed as (
      select k.client_id, ${clientName(sql`k.client_id`)} as client_name, k.currency, round(k.net, 2) as net,
        coalesce((select to_json(${billingGaps}) from client_entities e left join countries n on n.id = e.country_id
          left join counties y on y.id = e.county_id where e.client_id = k.client_id), '[]') as lacks,
        coalesce(a.detail -> 'reasons', '[]') as reasons,
        to_char(a.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as failed_at
      from known k left join staff_alerts a on a.kind = 'bill_not_issued' and a.resolved_at is null
        and a.about = 'client ' || k.client_id
      order by a.id is null, k.client_id limit ${mostPreviewed}::int
    )
    select (select coalesce(json_agg(s order by s.currency), '[]') from (
        select currency, count(*)::int as clients, round(sum(net), 2) as net from known group by currency) s) as sums,
      (select coalesce(json_agg(d), '[]') from detailed d) as clients`.execute(tx)
  return rows[0] ?? { sums: [], clients: [] }
}
