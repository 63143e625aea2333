import { sql } from 'kysely'
import { isOwedBill } from '#money/invoice-statuses.ts'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * The open amount of an account's service bills, VAT included, as a JSON number. Throws `not_found` for a
 * missing account and for one whose billing the actor does not see.
 */
export async function serviceBillsSum({ tx, actor }: Context, clientId: number): Promise<number> {
  if (!actor.owners('billing').includes(clientId)) throw refuse('not_found', { type: 'clients' })
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(total - paid - credited), 0) as sum from invoices
    where client_id = ${clientId} and ${isOwedBill('invoices')}`.execute(tx)
  return Number(rows[0]?.sum ?? 0)
}
