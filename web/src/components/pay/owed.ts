import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import type { Billing } from '../../api/queries/billing.ts'

/** Up to the next amount that can be paid, by the millionths that amounts have. */
function upToUnit(amount: number, decimals: 0 | 2): number {
  const units = 10 ** decimals
  return Math.ceil(Math.round(amount * 1e6) / (1e6 / units)) / units
}

/**
 * The amount that lifts an account in debt to zero, usage that is not charged yet included, and at least the smallest
 * deposit; undefined without a debt.
 */
export function owedBy({
  banner,
  available,
  amounts,
  currency,
}: Pick<Billing, 'banner' | 'available' | 'currency'> & Partial<Pick<Billing, 'amounts'>>) {
  if (banner.amount_due <= 0) return undefined
  return Math.max(
    upToUnit(Math.max(banner.amount_due, -available), minorUnits(currency)),
    amounts?.deposit_least ?? 0,
  )
}
