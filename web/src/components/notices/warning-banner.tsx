import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type Billing, billingQuery } from '../../api/queries/billing.ts'
import { useUser } from '../../api/queries/user.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, daysBetween } from '../../ui/days.ts'
import { money, sum } from '../../ui/format.ts'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './banner.module.css'

// Loaded on demand, because few people see these two.
const SecondFactorNeeded = lazily(async () => (await import('./second-factor-needed.tsx')).SecondFactorNeeded)
const BillingGaps = lazily(async () => (await import('./billing-gaps.tsx')).BillingGaps)

/** The amount to pay, and the consequence of not paying. */
function nextStep({ banner: { amount_due, suspend_on, reason }, currency }: Billing): string {
  const amount = money(amount_due, currency)
  if (reason === 'suspended') return m.banner_suspended({ amount })
  if (suspend_on === null) return m.banner_pay({ amount })
  return m.banner_pay_by({ amount, date: dayInWords(suspend_on, language()) })
}

function inTheRed(profile: Billing): string {
  const balance = money(sum([profile.account_balance, profile.credit_balance]), profile.currency)
  const { negative_days: count } = profile
  return count > 0 ? m.banner_balance({ balance, count }) : m.banner_balance_today({ balance })
}

/** After a trial there is no debt: any amount resumes the panels. */
const isTrialOver = ({ banner, negative_days, trial_ends_at }: Billing) =>
  banner.reason === 'suspended' && negative_days === 0 && trial_ends_at !== null

/**
 * The most important warning of the account. Staff are not customers: they only see what they lack to work.
 */
export function WarningBanner() {
  const { staff } = useUser()
  if (staff === null) return <Warnings />
  return staff.needs_second_factor ? (
    <Suspense>
      <SecondFactorNeeded />
    </Suspense>
  ) : null
}

/** The details that invoices lack. During an upgrade an older replica may answer without them. */
const gapsOf = ({ billing_missing: gaps }: Partial<Billing>) => gaps ?? []

/** Renders nothing while everything is in order. */
function Warnings() {
  const profile = useQuery(billingQuery).data?.items[0]
  if (!profile) return null
  const { as_of, billing_status, trial_ends_at } = profile
  const trialDays = trial_ends_at === null ? -1 : daysBetween(as_of, trial_ends_at.slice(0, 10))
  const isOver = isTrialOver(profile)
  const isTrial = billing_status === billingStatus.trial && trialDays >= 0
  const gaps = gapsOf(profile)
  const isBillable = profile.billing_complete && gaps.length === 0
  if (!profile.banner.show && isBillable && !isTrial) return null
  return (
    <aside aria-label={m.account_notices()}>
      {profile.banner.show && (
        <p className={`${classes.banner} ${classes.bad}`}>
          <span>{isOver ? m.banner_trial_over() : `${inTheRed(profile)} ${nextStep(profile)}`}</span>
          <Link to={href('payment')}>{isOver ? m.payment_title() : m.pay_now()}</Link>
        </p>
      )}
      {!isBillable && (
        <p className={classes.banner}>
          <span>
            {profile.billing_complete ? (
              <Suspense>
                <BillingGaps missing={gaps} />
              </Suspense>
            ) : (
              m.banner_billing()
            )}
          </span>
          <Link to={href('manage-account')} hash="billing">
            {m.banner_billing_action()}
          </Link>
        </p>
      )}
      {isTrial && (
        <p className={`${classes.banner} ${classes.quiet}`}>
          <span>{m.banner_trial({ count: trialDays })}</span>
          <Link to={href('payment')}>{m.payment_title()}</Link>
        </p>
      )}
    </aside>
  )
}
