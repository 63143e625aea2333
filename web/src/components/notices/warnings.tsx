import { Link } from '@tanstack/react-router'
import type { Billing } from '../../api/queries/billing.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money, sum } from '../../ui/format.ts'
import classes from './banner.module.css'
import { gapsListed } from './gap-names.ts'

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

/** Names the details that invoices lack although the form looks complete. */
const gapsInWords = (gaps: Billing['billing_missing']) =>
  m.banner_billing_missing({ fields: gapsListed(gaps) })

/** From so many days on, the end of a trial is as pressing as the details that invoices lack. */
const soon = 3

type Props = {
  profile: Billing
  /** The billing details that are missing; undefined when none are. */
  gaps: Billing['billing_missing'] | undefined
  /** The days left of a trial. */
  trial: number | undefined
}

/** Each warning with what the person can do about it. */
export function Warnings({ profile, gaps, trial }: Props) {
  const isOver = isTrialOver(profile)
  return (
    <>
      {profile.banner.show && (
        <p className={`${classes.banner} ${classes.bad}`}>
          <span>{isOver ? m.banner_trial_over() : `${inTheRed(profile)} ${nextStep(profile)}`}</span>
          <Link to={href('payment')}>{isOver ? m.payment_title() : m.pay_now()}</Link>
        </p>
      )}
      {gaps && (
        <p className={classes.banner}>
          <span>{profile.billing_complete ? gapsInWords(gaps) : m.banner_billing()}</span>
          <Link to={href('manage-account')} hash="billing">
            {m.banner_billing_action()}
          </Link>
        </p>
      )}
      {trial !== undefined && (!gaps || trial <= soon) && (
        <p className={`${classes.banner} ${classes.quiet}`}>
          <span>{m.banner_trial({ count: trial })}</span>
          <Link to={href('payment')}>{m.payment_title()}</Link>
        </p>
      )}
    </>
  )
}
