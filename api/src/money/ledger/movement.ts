import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { amount } from './amount.ts'
import { currencyOf, entries } from './entries.ts'
import { type Kind, type Posted, post } from './post.ts'

/** What every verb of the books is told. */
export type Movement = {
  /** The same fact always has the same key: told again, it answers the same and moves nothing. */
  readonly key: string
  /** clients.id */
  readonly clientId: number
  /** ISO 4217; it must be the one of the client. */
  readonly currency: string
  /** The UTC day that it counts for; today by the business clock when it is left out. */
  readonly on?: string | undefined
  /** The row that it follows from. */
  readonly source?: { readonly type: string; readonly id: number } | undefined
}

/** The VAT on top of a net amount: how much, and where it is owed to (ISO 3166) at which rate in percent. */
export type Vat = { readonly amount: string; readonly country: string; readonly rate: string }

/** Who moves money from and to outside: a provider of card payments by its name, or the bank account. */
export type Means = 'bank' | `psp:${string}`

/** The code of the account of VAT owed to a country. */
const vatAccount = (vat: Vat, currency: string): string =>
  `vat:${vat.country}:${new Big(vat.rate).toFixed()}:${currency}`

/** A line for VAT that is owed, and how much that is; no VAT is none owed. */
export function vatLine(vat: Vat | undefined, currency: string): { account: string; owed: Big } {
  if (!vat) return { account: `bank:${currency}`, owed: new Big(0) }
  return { account: vatAccount(vat, currency), owed: amount(vat.amount) }
}

/** Posts what a verb made of a movement. Throws the Problem `account_currency_differs` when it is in another currency than the client. */
export async function move(
  tx: Database,
  kind: Kind,
  movement: Movement,
  lines: readonly (readonly [account: string, amount: Big])[],
): Promise<Posted> {
  const { key, clientId, currency, on, source } = movement
  const kept = await currencyOf(tx, clientId)
  if (kept !== currency) throw refuse('account_currency_differs', { kept, asked: currency })
  return post(tx, { key, kind, clientId, currency, on, source, entries: entries(...lines) })
}
