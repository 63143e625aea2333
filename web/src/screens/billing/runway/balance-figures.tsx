import type { Billing } from '../../../api/queries/billing.ts'
import { Figures } from '../../../components/money/figures.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import { daysLeft, untilInWords } from './runway-words.ts'

/** Below so many days the date is highlighted; the first letter about it is sent then, too. */
const soon = 7

/** The period behind the average daily use. */
function basis({ daily_use, daily_use_basis_days: days }: Billing): string {
  if (days > 0) return m.basis_days({ count: days })
  return daily_use > 0 ? m.basis_hour() : m.lasts_no_use()
}

/** Balance, credit, daily use, and how long that lasts. */
export function BalanceFigures({ profile }: { profile: Billing }) {
  const days = daysLeft(profile)
  const { account_balance, credit_balance, daily_use, negative_days, currency } = profile
  return (
    <Figures
      figures={[
        {
          name: m.balance(),
          value: money(account_balance, currency),
          isBad: account_balance < 0,
          note: negative_days > 0 && m.negative_since({ count: negative_days }),
        },
        { name: m.credit(), value: money(credit_balance, currency), note: m.credit_text() },
        { name: m.daily_use(), value: money(daily_use, currency), note: basis(profile) },
        {
          name: m.lasts_until(),
          value: untilInWords(profile),
          isBad: profile.available <= 0 || (days !== undefined && days <= soon),
          note: days !== undefined && profile.available > 0 && m.in_days({ count: days }),
        },
      ]}
    />
  )
}
