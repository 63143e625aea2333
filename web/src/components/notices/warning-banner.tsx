import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type Billing, billingQuery } from '../../api/queries/billing.ts'
import { useUser } from '../../api/queries/user.ts'
import { m } from '../../texts/compiled/messages.js'
import { daysBetween } from '../../ui/days.ts'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './banner.module.css'

// Loaded on demand, because few people see these.
const SecondFactorNeeded = lazily(async () => (await import('./second-factor-needed.tsx')).SecondFactorNeeded)
const Warnings = lazily(async () => (await import('./warnings.tsx')).Warnings)

/**
 * The most important warning of the account. Staff are not customers: they only see what they lack to work.
 */
export function WarningBanner({ isDashboard }: { isDashboard: boolean }) {
  const { staff, get_started } = useUser()
  // The first steps are on the dashboard, and say the same as the two softer warnings.
  if (staff === null) return <OfAccount hasSteps={get_started && isDashboard} />
  return staff.needs_second_factor ? (
    <Suspense>
      <SecondFactorNeeded />
    </Suspense>
  ) : null
}

/**
 * The details that invoices lack; undefined when none do, or nothing is invoiced. During an upgrade an older replica may
 * answer without them.
 */
function gapsOf(profile: Partial<Billing>): Billing['billing_missing'] | undefined {
  const { billing_missing: gaps = [], billing_complete, is_invoiced = true } = profile
  return is_invoiced && !(billing_complete && gaps.length === 0) ? gaps : undefined
}

/** The days left of a trial; undefined for an account that is in none. */
function trialDays({ as_of, billing_status, trial_ends_at }: Billing): number | undefined {
  if (billing_status !== billingStatus.trial || trial_ends_at === null) return undefined
  const days = daysBetween(as_of, trial_ends_at.slice(0, 10))
  return days >= 0 ? days : undefined
}

/** Renders nothing while everything is in order. */
function OfAccount({ hasSteps }: { hasSteps: boolean }) {
  const profile = useQuery(billingQuery).data?.items[0]
  if (!profile) return null
  const gaps = hasSteps ? undefined : gapsOf(profile)
  const trial = hasSteps ? undefined : trialDays(profile)
  if (!profile.banner.show && !gaps && trial === undefined) return null
  return (
    <aside aria-label={m.account_notices()}>
      <Suspense fallback={<p className={classes.banner} data-waits />}>
        <Warnings profile={profile} gaps={gaps} trial={trial} />
      </Suspense>
    </aside>
  )
}
