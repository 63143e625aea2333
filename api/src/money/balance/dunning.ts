import { type BillingStatus, billingStatus } from '@portico/contract/rules/billing-status.ts'
/** The operator's rules; a row of billing_policies, with its amounts compared in SQL. */
export type Policy = {
  readonly low_days: readonly number[]
  readonly negative_days: readonly number[]
  readonly warned_letter_days: readonly number[]
  readonly warn_days: number
  readonly suspend_days: number
}

/** What an account is at, on a UTC day of business. */
export type Standing = {
  readonly status: BillingStatus
  readonly inTrial: boolean
  /** The trial is over, and nothing was ever paid. */
  readonly trialSpent: boolean
  /** Balance and credit together: below, at or above zero. */
  readonly sign: -1 | 0 | 1
  /** They are below what is warned of, and below the limit of credit. */
  readonly belowWarning: boolean
  readonly beyondLimit: boolean
  readonly negativeDays: number
  /** Full days that the balance lasts; null when nothing is used. */
  readonly lastsDays: number | null
  /** Staff holds the account, or payment was promised. */
  readonly held: boolean
}

const mostOf = (days: readonly number[]): number => Math.max(-1, ...days)

/** Whether panels have to stand still; those of a suspended account go on only when nothing is owed any more. */
function stops(a: Standing, policy: Policy): boolean {
  if (a.held) return false
  if (a.trialSpent) return a.sign <= 0
  if (a.sign >= 0) return false
  return a.status === billingStatus.suspended || a.negativeDays >= policy.suspend_days || a.beyondLimit
}

/** The billing status that follows from an account's standing (the steps of the dunning policy, in their order). */
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

/** A step is told of once in each dip; they are in the order in which they follow each other. */
export type Step = {
  readonly name: string
  readonly letter: 'balance-low' | 'balance-negative' | 'balance-warned'
}

const steps = (letter: Step['letter'], days: readonly number[]): Step[] =>
  days.map((day) => ({ name: `${letter}:${day}`, letter }))

/** What an account should have been told by now, in the present dip, the latest last. */
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

// A balance that hovers about the line must not be told of again and again.
const clearOfLowDays = 2

/** The UTC day since which the balance lasts for few days only; null once it is clear of that, and the next time is another. */
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
