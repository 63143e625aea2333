import { dayMs } from '@portico/contract/time.ts'
import Big from 'big.js'
import type { ProviderMovement, ProviderTransfer } from '#money/payments/providers/payment-provider.ts'
import { disputeOf, type SandboxStore, text, usualFee } from './sandbox-objects.ts'

// The account that the sandbox keeps in the place of a provider. It pays out each day, at its end by UTC and the end of the
// next one, what came in on it.

/** What came in and went back within a time. */
export async function* movementsIn(
  store: SandboxStore,
  from: Date,
  until: Date,
): AsyncIterable<ProviderMovement> {
  for (const { ref, kind, body, at } of await store.between(from, until)) {
    const paid = kind === 'refund' ? (await store.get(text(body, 'paymentRef')))?.body : body
    if (body.status !== 'succeeded' || paid === undefined) continue
    const shared = {
      ref,
      customerRef: null,
      amount: text(body, 'amount'),
      currency: text(paid, 'currency'),
      at,
    }
    if (kind === 'refund') yield { kind, ...shared, fee: null }
    else yield { kind: 'charge', ...shared, fee: usualFee(shared) }
  }
}

type Sums = Map<string, Big>

const add = (sums: Sums, currency: string, amount: Big) =>
  sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount))

/** The movements within a time after their fees, by currency. */
async function netIn(store: SandboxStore, from: Date, until: Date): Promise<Sums> {
  const sums: Sums = new Map()
  for await (const { kind, amount, currency, fee } of movementsIn(store, from, until))
    add(sums, currency, kind === 'refund' ? new Big(amount).neg() : new Big(amount).minus(fee?.amount ?? 0))
  return sums
}

const midnight = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs

/** The payouts within a time. */
export async function* payoutsIn(
  store: SandboxStore,
  from: Date,
  until: Date,
): AsyncIterable<ProviderTransfer> {
  for (let at = midnight(from) + dayMs; at < until.getTime(); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    for (const [currency, sum] of await netIn(store, new Date(at - 2 * dayMs), new Date(at - dayMs)))
      yield { kind: 'payout', ref: `po_${day}`, amount: sum.neg().toFixed(2), currency, at: new Date(at) }
  }
}

/** What is not paid out yet, after lost disputes and the fees of all. */
export async function heldAt(store: SandboxStore, now: Date) {
  const sums = await netIn(store, new Date(midnight(now) - dayMs), now)
  for (const dispute of await store.disputes()) {
    const paid = await store.get(text(dispute.body, 'paymentRef'))
    if (paid === undefined) continue
    const { status, amount, currency, fee } = disputeOf(dispute, text(paid.body, 'currency'))
    add(sums, currency, new Big(status === 'lost' ? amount : 0).plus(fee?.amount ?? 0).neg())
  }
  return [...sums].map(([currency, sum]) => ({ amount: sum.toFixed(2), currency }))
}
