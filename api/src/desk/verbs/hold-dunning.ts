import { mostHoldDays } from '@portico/contract/resources/desk-clients.ts'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

type Client = RowOf<'clients'>
type Held = { dunning_hold_until: string | null }

/** Suspends no panel for a debt until the end of a UTC day. Throws `hold_out_of_range`. */
export async function holdDunning(
  { tx }: Pick<Context, 'tx'>,
  { row, input: { until } }: { readonly row: Client; readonly input: { readonly until: string } },
): Promise<Held> {
  const { rows } = await sql`update clients set dunning_hold_until = ${until}::date where id = ${row.id}
    and ${until}::date between clock_today() and clock_today() + ${mostHoldDays}::int returning id`.execute(
    tx,
  )
  if (rows.length === 0)
    throw refuse('hold_out_of_range', { days: mostHoldDays }, { source: { pointer: '/until' } })
  await requestEvaluation(tx, row.id)
  return { dunning_hold_until: until }
}

/** Ends the hold; the next evaluation suspends what is due. */
export async function endHold({ tx }: Pick<Context, 'tx'>, { row }: { readonly row: Client }): Promise<Held> {
  await tx.updateTable('clients').set({ dunning_hold_until: null }).where('id', '=', row.id).execute()
  await requestEvaluation(tx, row.id)
  return { dunning_hold_until: null }
}
