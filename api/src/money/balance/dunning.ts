import { type BillingStatus, billingStatus } from '@portico/contract/rules/billing-status.ts'
/** The operator's rules; a row of billing_policies, whose amounts are compared in SQL. */
export type Policy = {
  readonly low_days: readonly number[]
  readonly negative_days: readonly number[]
  readonly warned_letter_days: readonly number[]
  readonly warn_days: number
  readonly suspend_days: number
}

/** The standing of an account on a UTC business day. */
export type Standing = {
  readonly status: BillingStatus
  readonly inTrial: boolean
  /** The trial is over, and nothing was ever paid. */
  readonly trialSpent: boolean
  /** The sign of balance plus credit. */
  readonly sign: -1 | 0 | 1
  /** Balance plus credit is below the warning threshold, or below the credit limit. */
  readonly belowWarning: boolean
  readonly beyondLimit: boolean
  readonly negativeDays: number
  /** Full days that the balance lasts; null without usage. */
  readonly lastsDays: number | null
  /** Staff suspended dunning, or payment was promised. */
  readonly held: boolean
}

const mostOf = (days: readonly number[]): number => Math.max(-1, ...days)

/**
 * Whether panels must be suspended; those of a suspended account resume only when nothing is owed any more.
 */
function stops(a: Standing, policy: Policy): boolean {
  if (a.held) return false
  if (a.trialSpent) return a.sign <= 0
  if (a.sign >= 0) return false
  return a.status === billingStatus.suspended || a.negativeDays >= policy.suspend_days || a.beyondLimit
}

/** The billing status by an account's standing (the steps of the dunning policy, in order). */
export function statusOf(a: Standing, policy: Policy): BillingStatus {
  if (a.status === billingStatus.terminated) return billingStatus.terminated
  if (a.inTrial) return billingStatus.trial
  if (stops(a, policy)) return billingStatus.suspended
  if (a.sign < 0)
    return a.belowWarning || a.negativeDays >= policy.warn_days
      ? billingStatus.warned
      : billingStatus.negative
  return a.lastsDays !== null && a.lastsDays <= mostOf(policy.low_days) ? billingStatus.low : billingStatus.ok
}

/** A dunning step, sent once per dip; steps are listed in order. */
export type Step = {
  readonly name: string
  readonly letter: 'balance-low' | 'balance-negative' | 'balance-warned'
}

const steps = (letter: Step['letter'], days: readonly number[]): Step[] =>
  days.map((day) => ({ name: `${letter}:${day}`, letter }))

/** The steps that are due in the present dip, the latest last. */
export function stepsDue(a: Standing, status: BillingStatus, policy: Policy): Step[] {
  const lasts = a.lastsDays ?? Number.POSITIVE_INFINITY
  if (status === billingStatus.low) {
    const near = policy.low_days.filter((day) => lasts <= day).toSorted((one, other) => other - one)
    return steps('balance-low', near)
  }
  if (status !== billingStatus.negative && status !== billingStatus.warned) return []
  const since = (days: readonly number[]) =>
    days.filter((day) => a.negativeDays >= day).toSorted((one, other) => one - other)
  return [
    ...steps('balance-negative', since(policy.negative_days)),
    ...steps('balance-warned', since(policy.warned_letter_days)),
  ]
}

// A margin, so that a balance that hovers about the line does not trigger repeated letters.
const clearOfLowDays = 2

/**
 * The UTC day since which the balance lasts for few days only; null once it is clear of the threshold, so that
 * the days are counted from the next time it falls below.
 */
export function lowSince(
  a: Standing,
  status: BillingStatus,
  policy: Policy,
  { low_since, today }: { readonly low_since: string | null; readonly today: string },
): string | null {
  if (status === billingStatus.low) return low_since ?? today
  const clear = a.lastsDays === null || a.lastsDays > mostOf(policy.low_days) + clearOfLowDays
  return clear ? null : low_since
}
