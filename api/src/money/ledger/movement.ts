import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { amount } from './amount.ts'
import { currencyOf, entries } from './entries.ts'
import { type Kind, type Posted, post } from './post.ts'

/** The common parameters of every ledger verb. */
export type Movement = {
  /** The idempotency key of the fact: a repetition returns the same posting and moves nothing. */
  readonly key: string
  /** clients.id */
  readonly clientId: number
  /** ISO 4217; it must be the client's currency. */
  readonly currency: string
  /** The UTC day that it counts for; by default today by the business clock. */
  readonly on?: string | undefined
  /** The row that caused it. */
  readonly source?: { readonly type: string; readonly id: number } | undefined
}

/** The VAT on top of a net amount: the amount, the country (ISO 3166), and the rate in percent. */
export type Vat = { readonly amount: string; readonly country: string; readonly rate: string }

/** The outside source or target of money: a payment provider by name, the bank account, or money of it that nobody owns yet. */
export type Means = 'bank' | 'suspense' | `psp:${string}`

/** The code of a country's VAT account. */
const vatAccount = (vat: Vat, currency: string): string =>
  `vat:${vat.country}:${new Big(vat.rate).toFixed()}:${currency}`

/** The entry of owed VAT, and its amount; without VAT it is zero. */
export function vatLine(vat: Vat | undefined, currency: string): { account: string; owed: Big } {
  if (!vat) return { account: `bank:${currency}`, owed: new Big(0) }
  return { account: vatAccount(vat, currency), owed: amount(vat.amount) }
}

/**
 * Posts a movement with its entries. Throws `account_currency_differs` when its currency is not the client's.
 */
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
