import type { Database } from '#platform/db/pool.ts'
import { amount } from './amount.ts'
import { clientAccount, currencyOf, entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/** What an account held before these books began. Exact decimals; a balance below zero is what was owed. */
export type Opening = {
  readonly balance: string
  readonly credit: string
  /** The UTC day since which that is so. */
  readonly on: string
}

/**
 * Brings over what an account held elsewhere: opening −(N + C), balance +N, credit +C. Once for each client; again with
 * other amounts it throws `ledger_key_reused`. Null when there is nothing to bring.
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
