import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/**
 * Reverses a client's ledger transaction as a whole, once: every entry with the opposite sign. Throws
 * `not_found`, `already_reversed`, and `credit_insufficient` when its credit is already spent.
 *
 * @param key the idempotency key of the reversal.
 * @param on the UTC day that it counts for; by default today by the business clock.
 */
export async function reverse(
  tx: Database,
  transactionId: number,
  key: string,
  on?: string,
): Promise<Posted> {
  const lines = await tx
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .innerJoin('ledger_accounts as a', 'a.id', 'e.account_id')
    .select(['t.client_id', 't.currency', 'a.code', 'e.amount'])
    .where('t.id', '=', transactionId)
    .orderBy('e.id')
    .execute()
  const [first] = lines
  if (!first?.client_id) throw refuse('not_found', { type: 'ledger-transactions' })
  return post(tx, {
    key,
    kind: 'reversal',
    clientId: first.client_id,
    currency: first.currency,
    on,
    entries: entries(...lines.map(({ code, amount }) => [code, new Big(amount).neg()] as const)),
    reverses: transactionId,
  })
}
