import Big from 'big.js'
import type { Stripe } from 'stripe'
import type { ProviderSum, ProviderTransfer } from '#money/payments/providers/payment-provider.ts'
import { decimal } from './stripe-objects.ts'

// What Stripe has on its account of the operator, in the port's form.

type Moved = Stripe.BalanceTransaction

const payouts: readonly string[] = ['payout', 'payout_cancel', 'payout_failure'] satisfies Moved['type'][]

/** The amount of a payment, refund or dispute in its own currency, where the account has another one. */
function changedFrom({ source, currency }: Moved) {
  if (source === null || typeof source === 'string') return undefined
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute')
    return undefined
  return source.currency === currency ? undefined : source
}

/** A payout, or the two sides of an exchange; none for other transactions. */
export function transfersOf(moved: Moved): ProviderTransfer[] {
  const { id: ref, type, amount, currency, created } = moved
  const side = (kind: ProviderTransfer['kind'], minor: number, of: string): ProviderTransfer => ({
    kind,
    ref,
    amount: decimal(minor, of),
    currency: of.toUpperCase(),
    at: new Date(created * 1000),
  })
  if (payouts.includes(type)) return [side('payout', amount, currency)]
  const source = changedFrom(moved)
  if (source === undefined) return []
  // The source counts without a sign.
  const out = amount < 0 ? source.amount : -source.amount
  return [side('exchange', out, source.currency), side('exchange', amount, currency)]
}

/** What is held in each currency, available or on its way. */
export function heldOf({ available, pending }: Stripe.Balance): ProviderSum[] {
  const sums = new Map<string, Big>()
  for (const { amount, currency } of [...available, ...pending])
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(decimal(amount, currency)))
  return [...sums].map(([currency, sum]) => ({ amount: sum.toFixed(2), currency: currency.toUpperCase() }))
}
