import type { Database } from '#platform/db/pool.ts'
import { positive } from './amount.ts'
import { entries } from './entries.ts'
import { type Posted, post } from './post.ts'

/** Money at the bank of which it is not decided whose it is. */
export type Unclaimed = {
  /** The idempotency key of the fact. */
  readonly key: string
  readonly currency: string
  /** Exact decimal above zero. */
  readonly amount: string
  readonly source: { readonly type: string; readonly id: number }
}

/** Posts money that came to the bank account: bank −A, suspense +A. */
export async function receiveUnclaimed(tx: Database, { amount, ...more }: Unclaimed): Promise<Posted> {
  const sum = positive(amount)
  const lines = entries([`bank:${more.currency}`, sum.neg()], [`suspense:${more.currency}`, sum])
  return post(tx, { ...more, kind: 'bank_receipt', clientId: null, entries: lines })
}

/** Posts that unclaimed money is no money of clients, or went back: suspense −A, bank +A. */
export async function releaseUnclaimed(tx: Database, { amount, ...more }: Unclaimed): Promise<Posted> {
  const sum = positive(amount)
  const lines = entries([`suspense:${more.currency}`, sum.neg()], [`bank:${more.currency}`, sum])
  return post(tx, { ...more, kind: 'bank_release', clientId: null, entries: lines })
}
