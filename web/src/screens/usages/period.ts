import type { Range } from '../../api/queries/usage.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addMonths, dayInWords, firstOf, lastOf, monthInWords, monthOf } from '../../ui/days.ts'

/** The period in view: the last twelve months, one month, or one day. */
export type Period = { kind: 'year' } | { kind: 'month'; month: string } | { kind: 'day'; day: string }

const month = /^\d{4}-(?:0[1-9]|1[0-2])$/
const day = /^\d{4}-\d{2}-\d{2}$/

/** An address without a period means the current month. */
export function periodIn(given: unknown, asOf: string): Period {
  if (given === 'year') return { kind: 'year' }
  if (typeof given === 'string' && month.test(given)) return { kind: 'month', month: given }
  if (typeof given === 'string' && day.test(given) && !Number.isNaN(Date.parse(given)))
    return { kind: 'day', day: given }
  return { kind: 'month', month: monthOf(asOf) }
}

/** Its days; for the current month, those up to today. */
export function rangeOf(period: Period, asOf: string): Range {
  if (period.kind === 'day') return { from: period.day, to: period.day }
  if (period.kind === 'year') return { from: firstOf(addMonths(monthOf(asOf), -11)), to: asOf }
  const last = lastOf(period.month)
  return { from: firstOf(period.month), to: period.month === monthOf(asOf) ? asOf : last }
}

export function periodInWords(period: Period): string {
  if (period.kind === 'year') return m.usage_year()
  return period.kind === 'month' ? monthInWords(period.month, language()) : dayInWords(period.day, language())
}

/** The breadcrumbs from the year to the period in view. */
export function wayTo(period: Period): { value: string; name: string }[] {
  const year = { value: 'year', name: m.usage_year() }
  const ofMonth = (value: string) => ({ value, name: monthInWords(value, language()) })
  if (period.kind === 'year') return [year]
  if (period.kind === 'month') return [year, ofMonth(period.month)]
  const { day: value } = period
  return [year, ofMonth(monthOf(value)), { value, name: dayInWords(value, language()) }]
}
