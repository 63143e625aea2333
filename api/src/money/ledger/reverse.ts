import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/**
 * Takes a transaction of a client back as a whole: every line with the other sign, once. Throws the Problems `not_found`,
 * `already_reversed`, and `credit_insufficient` when credit that it gave is spent.
 *
 * @param key one for each wish to take back, so that the same wish may be told twice.
 * @param on the UTC day that it counts for; today by the business clock when it is left out.
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
