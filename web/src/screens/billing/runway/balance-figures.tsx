import type { Billing } from '../../../api/queries/billing.ts'
import { type Figure, Figures } from '../../../components/money/figures.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import type { TopUps } from './projection.ts'
import { awaitsCredit, daysLeft, untilInWords } from './runway-words.ts'
import { nextTopUpInWords } from './top-ups.ts'

/** Below so many days the date is highlighted; the first letter about it is sent then, too. */
const soon = 7

/** The parts of the daily use: the fees of plans, and the period behind the average of the metered use. */
function basis({ daily_use, fee_daily, daily_use_basis_days: days, currency }: Billing): string {
  if (daily_use === 0) return m.lasts_no_use()
  const fees = fee_daily > 0 ? [m.basis_fees({ amount: money(fee_daily, currency) })] : []
  if (daily_use === fee_daily) return fees.join()
  return [...fees, days > 0 ? m.basis_days({ count: days }) : m.basis_hour()].join(' · ')
}

/** How long the money lasts, or when it is paid in automatically. */
function runwayFigure(profile: Billing, topUps: TopUps | undefined): Figure {
  const next = nextTopUpInWords(profile, topUps, profile.currency)
  if (next) return { name: m.next_top_up(), value: next.date, note: m.next_top_up_text(next) }
  const days = daysLeft(profile)
  return {
    name: m.lasts_until(),
    value: untilInWords(profile),
    isBad: (profile.available <= 0 && !awaitsCredit(profile)) || (days !== undefined && days <= soon),
    note: days !== undefined && profile.available > 0 && m.in_days({ count: days }),
  }
}

/** Balance, credit, daily use, and how long that lasts. */
export function BalanceFigures({ profile, topUps }: { profile: Billing; topUps: TopUps | undefined }) {
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
        runwayFigure(profile, topUps),
      ]}
    />
  )
}
