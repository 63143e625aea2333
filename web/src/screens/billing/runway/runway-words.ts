import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { dayInWords, daysBetween } from '../../../ui/days.ts'

/** The server's forecast of how long money lasts. */
export type Lasting = {
  as_of: string
  available: number
  daily_use: number
  /** Null when nothing is used, or when it lasts beyond five years. */
  exhaustion_date: string | null
  /** The credit of a trial that is not given yet. */
  trial_credit_waiting?: number
}

/** The account has nothing yet but the credit of its trial, which waits. */
export const awaitsCredit = ({ available, trial_credit_waiting: waiting = 0 }: Lasting): boolean =>
  available <= 0 && available + waiting > 0

/** Days until the money is used up; undefined when that is not foreseeable. */
export const daysLeft = ({ as_of, exhaustion_date }: Lasting): number | undefined =>
  exhaustion_date === null ? undefined : Math.max(0, daysBetween(as_of, exhaustion_date))

/** The date when the money is used up, or why there is no date. */
export function untilInWords(lasting: Lasting): string {
  const { available, daily_use, exhaustion_date } = lasting
  if (awaitsCredit(lasting)) return m.lasts_no_use()
  if (available <= 0) return m.lasts_not()
  if (exhaustion_date !== null) return dayInWords(exhaustion_date, language())
  return daily_use > 0 ? m.lasts_years() : m.lasts_no_use()
}

/** The same in days from today. */
export function leftInWords(lasting: Lasting): string {
  const days = daysLeft(lasting)
  if (lasting.available <= 0 || days === undefined) return untilInWords(lasting)
  return m.days_count({ count: days })
}

/** The same as a sentence. */
export function lastingInWords(lasting: Lasting): string {
  const { available, daily_use, exhaustion_date } = lasting
  if (awaitsCredit(lasting)) return m.runway_trial_waits()
  if (available <= 0) return m.runway_none()
  if (exhaustion_date === null) return daily_use > 0 ? m.runway_years() : m.runway_no_use()
  // No-break spaces keep the large date on one line.
  const date = dayInWords(exhaustion_date, language()).replaceAll(' ', '\u00a0')
  return m.runway_until({ date, count: daysLeft(lasting) ?? 0 })
}
