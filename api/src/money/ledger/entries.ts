import type Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Entry } from './post.ts'

/** The code of a client's account; each client has these three from the start. */
export const clientAccount = (clientId: number, which: 'balance' | 'credit' | 'vat_due'): string =>
  `client:${clientId}:${which}`

/** The entries of a transaction, + credit and − debit; entries of zero are left out. */
export const entries = (...lines: readonly (readonly [account: string, amount: Big])[]): Entry[] =>
  lines
    .filter(([, amount]) => !amount.eq(0))
    .map(([account, amount]) => ({ account, amount: amount.toFixed() }))

/** The currency of a client's ledger. Throws `not_found`. */
export async function currencyOf(tx: Database, clientId: number): Promise<string> {
  const client = await tx
    .selectFrom('clients')
    .innerJoin('currencies', 'currencies.id', 'clients.currency_id')
    .select('currencies.code')
    .where('clients.id', '=', clientId)
    .executeTakeFirst()
  if (!client) throw refuse('not_found', { type: 'clients' })
  return client.code
}
