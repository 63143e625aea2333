/** `billing_status` of an account, as the dunning policy sets it. */
export const billingStatus = {
  trial: 0,
  ok: 1,
  low: 2,
  negative: 3,
  warned: 4,
  suspended: 5,
  terminated: 6,
} as const

export type BillingStatus = (typeof billingStatus)[keyof typeof billingStatus]
