import type { Database } from '#platform/db/pool.ts'
import { amount } from './amount.ts'
import { entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/** Posts a fee that a provider took, or gave back below zero: psp +F, fees −F. No client pays it. */
export async function providerFee(
  tx: Database,
  fee: {
    readonly key: string
    readonly provider: string
    readonly currency: string
    readonly amount: string
    readonly source: { readonly type: string; readonly id: number }
  },
): Promise<Posted> {
  const { key, provider, currency, source } = fee
  const taken = amount(fee.amount)
  return post(tx, {
    key,
    kind: 'provider_fee',
    clientId: null,
    currency,
    source,
    entries: entries([`psp:${provider}:${currency}`, taken], [`fees:${currency}`, taken.neg()]),
  })
}
