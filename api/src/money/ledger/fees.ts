import type { Database } from '#platform/db/pool.ts'
import { amount } from './amount.ts'
import { entries } from './entries.ts'
import { type Posted, type Posting, post, postAll } from './post.ts'

/** A fee that a provider took, or gave back below zero, in the currency in which it took it. */
export type ProviderFee = {
  readonly key: string
  readonly provider: string
  readonly currency: string
  readonly amount: string
  readonly source: { readonly type: string; readonly id: number }
}

/** psp +F, fees −F. No client pays it. */
function postingOf({ key, provider, currency, source, amount: text }: ProviderFee): Posting {
  const taken = amount(text)
  return {
    key,
    kind: 'provider_fee',
    clientId: null,
    currency,
    source,
    entries: entries([`psp:${provider}:${currency}`, taken], [`fees:${currency}`, taken.neg()]),
  }
}

/** Posts a fee once. */
export const providerFee = (tx: Database, fee: ProviderFee): Promise<Posted> => post(tx, postingOf(fee))

/** Posts fees, each once. */
export const providerFees = (tx: Database, fees: readonly ProviderFee[]): Promise<readonly Posted[]> =>
  postAll(tx, fees.map(postingOf))
