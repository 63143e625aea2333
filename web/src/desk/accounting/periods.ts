import { m } from '../../texts/compiled/messages.js'
import { addMonths, firstOf, lastOf, monthOf } from '../../ui/days.ts'

export type Period = { readonly from: string; readonly to: string }

export const periodNames = {
  month: m.desk_period_last_month,
  quarter: m.desk_period_last_quarter,
  this_year: m.desk_period_this_year,
  last_year: m.desk_period_last_year,
  own: m.desk_period_own,
}

export type PeriodName = keyof typeof periodNames

const months = (first: string, last: string): Period => ({ from: firstOf(first), to: lastOf(last) })

/** The days of a period that has a name; undefined for one of the person's own. */
export function namedPeriod(name: PeriodName, today: string): Period | undefined {
  const month = monthOf(today)
  const year = Number(month.slice(0, 4))
  const quarter = addMonths(month, -((Number(month.slice(5)) - 1) % 3))
  if (name === 'month') return months(addMonths(month, -1), addMonths(month, -1))
  if (name === 'quarter') return months(addMonths(quarter, -3), addMonths(quarter, -1))
  if (name === 'this_year') return { from: `${year}-01-01`, to: today }
  return name === 'last_year' ? { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` } : undefined
}

/** Whether a period is one quarter or some, without a day more or less. */
export const isWholeQuarters = ({ from, to }: Period): boolean =>
  /-(01|04|07|10)-01$/.test(from) && /-(03-31|06-30|09-30|12-31)$/.test(to)

/** Whether a period contains today or days after it, so that its figures will change. */
export const isUnfinished = ({ to }: Period, today: string): boolean => to >= today
