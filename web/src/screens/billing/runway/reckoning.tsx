import type { Billing } from '../../../api/queries/billing.ts'
import { Sums } from '../../../components/money/sums.tsx'
import { m } from '../../../texts/compiled/messages.js'

/** The sum from the balance to the available amount. */
export function Reckoning({ profile }: { profile: Billing }) {
  const { account_balance, credit_balance, uncharged_today, available, currency } = profile
  return (
    <Sums
      label={m.reckoning()}
      currency={currency}
      lines={[
        { name: m.balance(), amount: account_balance },
        { name: m.reckoning_credit(), amount: credit_balance },
        { name: m.reckoning_uncharged(), amount: -uncharged_today },
      ]}
      total={{ name: m.reckoning_available(), amount: available }}
    />
  )
}
