import type { Billing } from '../../api/queries/billing.ts'

/** Up to the next cent, by the millionths that amounts have. */
const upToCent = (amount: number) => Math.ceil(Math.round(amount * 1e6) / 1e4) / 100

/**
 * The amount that lifts an account in debt to zero, usage that is not charged yet included, and at least the smallest
 * deposit; undefined without a debt.
 */
export function owedBy({
  banner,
  available,
  amounts,
}: Pick<Billing, 'banner' | 'available'> & Partial<Pick<Billing, 'amounts'>>) {
  if (banner.amount_due <= 0) return undefined
  return Math.max(upToCent(Math.max(banner.amount_due, -available)), amounts?.deposit_least ?? 0)
}
