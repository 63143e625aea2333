import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Billing, billingQuery, fundsOf } from '../../api/queries/billing.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { daysBetween } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import classes from './top-bar.module.css'

/** Below so many days the balance is highlighted; the first letter about it is sent then, too. */
const soon = 7

type Chip = { readonly tone?: string | undefined; readonly amount: string; readonly rest?: string }

/** The balance in two or three words; undefined for an account without money and use. */
function chipOf(profile: Billing): Chip | undefined {
  const { as_of, currency, daily_use, exhaustion_date } = profile
  const total = fundsOf(profile)
  const amount = money(total, currency)
  if (total < 0) return { tone: classes.bad, amount, rest: m.chip_pay() }
  if (profile.automatic_works) return { amount: m.chip_automatic() }
  if (exhaustion_date === null) return total > 0 || daily_use > 0 ? { amount } : undefined
  const count = Math.max(0, daysBetween(as_of, exhaustion_date))
  return { tone: count < soon ? classes.warn : undefined, amount, rest: m.chip_days({ count }) }
}

type Props = {
  className?: string | undefined
  /** In a list its name is seen. */
  isNamed?: boolean
  onFollow?: () => void
}

/** The balance of the person's account, and for how many days it lasts; it opens Billing. */
export function BalanceChip({ className = '', isNamed = false, onFollow }: Props) {
  const profile = useQuery(billingQuery).data?.items[0]
  const chip = profile && chipOf(profile)
  if (!chip) return null
  const { tone = '', amount, rest } = chip
  return (
    <Link
      to={href('billing')}
      className={`${classes.chip} ${tone} ${className} numbers`}
      {...(onFollow && { onClick: onFollow })}
    >
      <span className={isNamed ? classes.named : 'unseen'}>{m.chip_balance()}</span>
      <span className={classes.label}>{amount}</span>
      {rest && <span className={classes.rest}>{` · ${rest}`}</span>}
    </Link>
  )
}
