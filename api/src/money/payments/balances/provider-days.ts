import type { providerDays } from '@portico/contract/resources/provider-days.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

type Latest = z.input<typeof providerDays.actions.latest.output>

/** The last day of each account at a provider; `since` is the first day of all those that differ as it does. */
export async function latestDays({ tx }: Pick<Context, 'tx'>): Promise<Latest> {
  const { rows } = await sql<Latest['accounts'][number]>`
    select d.provider, d.currency, d.day::text, d.held::float8 as held, d.difference::float8 as difference,
      d.disputed::float8 as disputed, case when d.difference <> 0 then (select max(c.day)::text from provider_days c
        where (c.provider, c.currency) = (d.provider, d.currency) and c.changed <> 0) end as since
    from (select distinct on (provider, currency) provider, currency, day, held, difference, disputed from provider_days order by provider, currency, day desc) d
    order by d.provider, d.currency`.execute(tx)
  return { accounts: rows }
}

/** The action of staff that queues the comparison with the payment provider. */
export async function compareNow({ tx }: Context) {
  await enqueue(tx, 'payments.reconcile', {}, { key: 'payments.reconcile' })
  return { queued: true as const } // The only value.
}
