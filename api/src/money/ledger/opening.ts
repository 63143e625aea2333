import type { Database } from '#platform/db/pool.ts'
import { amount } from './amount.ts'
import { clientAccount, currencyOf, entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/** An account's holdings from before this ledger. Exact decimals; a negative balance is a debt. */
export type Opening = {
  readonly balance: string
  readonly credit: string
  /** The UTC day of the opening balance. */
  readonly on: string
}

/**
 * Posts the opening balance of an account: opening −(N + C), balance +N, credit +C. Once per client; with
 * other amounts it throws `ledger_key_reused`. Null when all amounts are zero.
 */
export async function bringOver(tx: Database, clientId: number, opening: Opening): Promise<Posted | null> {
  const balance = amount(opening.balance)
  const credit = amount(opening.credit)
  if (balance.eq(0) && credit.eq(0)) return null
  const currency = await currencyOf(tx, clientId)
  return post(tx, {
    key: `opening:${clientId}`,
    kind: 'opening',
    clientId,
    currency,
    on: opening.on,
    entries: entries(
      [clientAccount(clientId, 'balance'), balance],
      [clientAccount(clientId, 'credit'), credit],
      [`opening:${currency}`, balance.plus(credit).neg()],
    ),
  })
}
