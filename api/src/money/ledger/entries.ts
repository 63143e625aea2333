import type Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Entry } from './post.ts'

/** The code of an account of a client; each has these three from the start. */
export const clientAccount = (clientId: number, which: 'balance' | 'credit' | 'vat_due'): string =>
  `client:${clientId}:${which}`

/** The lines of a transaction, + credit and − debit; a line of zero moves nothing and is left out. */
export const entries = (...lines: readonly (readonly [account: string, amount: Big])[]): Entry[] =>
  lines
    .filter(([, amount]) => !amount.eq(0))
    .map(([account, amount]) => ({ account, amount: amount.toFixed() }))

/** The currency that a client's books are kept in. Throws `not_found`. */
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
