import { balanceWarning } from '@portico/contract/rules/balance-warning.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { billingQuery } from '../../api/billing.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { daysUntil, money } from '../../ui/format.ts'
import classes from './banner.module.css'

/** What the account must be told before anything else; nothing at all while everything is in order. */
export function WarningBanner() {
  const profile = useQuery(billingQuery).data?.items[0]
  if (!profile) return null
  const balance = money(profile.account_balance + profile.credit_balance)
  const trialDays = daysUntil(profile.trial_ends_at)
  return (
    <aside aria-label={m.account_notices()}>
      {balanceWarning(profile, profile.negative_days) && (
        <p className={`${classes.banner} ${classes.bad}`}>
          <span>{m.banner_balance({ balance, count: profile.negative_days })}</span>
          <Link to={href('payment')}>{m.pay_now()}</Link>
        </p>
      )}
      {!profile.billing_complete && (
        <p className={classes.banner}>
          <span>{m.banner_billing()}</span>
          <Link to={href('manage-account')} hash="billing">
            {m.banner_billing_action()}
          </Link>
        </p>
      )}
      {trialDays !== undefined && trialDays >= 0 && (
        <p className={`${classes.banner} ${classes.quiet}`}>
          <span>{m.banner_trial({ count: trialDays })}</span>
        </p>
      )}
    </aside>
  )
}
