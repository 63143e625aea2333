import type { clients } from '@portico/contract/resources/clients.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

type Choice = z.output<typeof clients.actions.currencyChoice.output>

/** The currency of an account, those that are offered, and what keeps it from being changed. */
export async function currencyChoice({ tx }: Pick<Context, 'tx'>, id: number): Promise<Choice> {
  const { rows } = await sql<Choice>`
    select u.code as currency, currency_fixed_by(c.id) as fixed_by,
      array(select o.code from currencies_offered() with ordinality x (id, place) join currencies o on o.id = x.id
        order by x.place) as offered
    from clients c join currencies u on u.id = c.currency_id where c.id = ${id}`.execute(tx)
  const [choice] = rows
  if (!choice) throw refuse('not_found', { type: 'clients' })
  return choice
}

const fixed = {
  transactions: 'currency_fixed_by_transactions',
  use: 'currency_fixed_by_use',
  payment: 'currency_fixed_by_payment',
  automatic: 'currency_fixed_by_automatic',
  prices: 'currency_fixed_by_prices',
} as const

/**
 * Keeps an account in another currency. Idempotent. Throws `currency_not_offered`, and `currency_fixed_by_…`
 * once something is kept in the present one.
 */
export async function changeCurrency(
  context: Context,
  {
    row,
    input: { currency },
  }: { readonly row: RowOf<'clients'>; readonly input: { readonly currency: string } },
): Promise<{ currency: string }> {
  const { tx } = context
  // Waits for payments and panels that are being written, which refer to this row.
  await tx.selectFrom('clients').select('id').where('id', '=', row.id).forUpdate().execute()
  const now = await currencyChoice(context, row.id)
  if (currency === now.currency) return { currency }
  if (!now.offered.includes(currency))
    throw refuse('currency_not_offered', {}, { source: { pointer: '/data/currency' } })
  if (now.fixed_by !== null) throw refuse(fixed[now.fixed_by])
  // It is off, and its amounts were meant in the other currency.
  await tx.deleteFrom('automated_billing_rules').where('client_id', '=', row.id).execute()
  await tx
    .updateTable('clients')
    .set(({ selectFrom }) => ({
      currency_id: selectFrom('currencies').select('id').where('code', '=', currency),
      currency_follows_country: false,
    }))
    .where('id', '=', row.id)
    .execute()
  return { currency }
}
