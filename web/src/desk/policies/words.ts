import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'

type Change = Row<'policy-changes'>['changes'][number]

/** The names of the amounts of a currency. */
export const amountNames = {
  trial_credit: m.desk_policies_trial_credit,
  warn_below: m.desk_policies_warn_below,
  credit_limit: m.desk_policies_limit,
  deposit_least: m.desk_policies_deposit_least,
  deposit_most: m.desk_policies_deposit_most,
  threshold_least: m.desk_policies_threshold_least,
  threshold_usual: m.desk_policies_threshold_usual,
  recharge_least: m.desk_policies_recharge_least,
  recharge_usual: m.desk_policies_recharge_usual,
  cap_most: m.desk_policies_cap,
} as const

const names: Readonly<Record<string, () => string>> = {
  ...amountNames,
  quick_amounts: m.desk_policies_quick,
  low_days: m.desk_policies_low,
  negative_days: m.desk_policies_negative,
  warned_letter_days: m.desk_policies_warned,
  warn_days: m.desk_policies_warn,
  suspend_days: m.desk_policies_suspend,
  terminate_days: m.desk_policies_terminate,
  trial_days: m.desk_policies_trial,
  days_ahead: m.desk_policies_ahead,
  price_notice_days: m.desk_policies_notice,
  suspended_fee: m.desk_policies_fee,
  views_without_consent: m.desk_policies_views,
}

/** The name of a rule as its form has it; a rule of an earlier version keeps the name of its field. */
export const ruleName = ({ field, currency }: Change): string =>
  [names[field]?.() ?? field, currency].filter(Boolean).join(', ')

const words: Readonly<Record<string, () => string>> = {
  'suspended_fee stops': m.desk_policies_fee_stops,
  'suspended_fee goes_on': m.desk_policies_fee_goes_on,
  'views_without_consent true': m.desk_policies_views_admins,
  'views_without_consent false': m.desk_policies_views_nobody,
}

/** A value of a rule, before or after a change. */
export function ruleValue({ field, currency }: Change, value: unknown): string {
  const one = (part: unknown) =>
    words[`${field} ${String(part)}`]?.() ??
    (currency !== null && typeof part === 'number' ? money(part, currency) : String(part))
  const parts = Array.isArray(value) ? value.map(one) : [one(value ?? '–')]
  return parts.join(', ') || '–'
}
