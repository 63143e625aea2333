import type { Billing } from '../../api/queries/billing.ts'
import { sum } from '../../ui/format.ts'

/** What an account has left after the usage of today, as on Billing, or its debt, as the warning says it. */
export function fundsOf({ account_balance, credit_balance, available }: Billing): number {
  const charged = sum([account_balance, credit_balance])
  return charged < 0 ? charged : Math.max(0, available)
}
