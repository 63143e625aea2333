import { addMonths, firstOf, lastOf, monthInWords, monthOf } from '../../ui/days.ts'

/** How long the period of a report is. */
export const units = ['months', 'month', 'quarter', 'year'] as const

export type Unit = (typeof units)[number]

const lengths = { months: 12, month: 1, quarter: 3, year: 12 } as const

/** A period of whole months: its first month, and its days. */
export type ReportPeriod = {
  readonly unit: Unit
  readonly month: string
  readonly from: string
  readonly to: string
}

const startOf = (unit: Unit, month: string): string => {
  if (unit === 'year') return `${month.slice(0, 4)}-01`
  if (unit === 'quarter') return addMonths(month, -((Number(month.slice(5)) - 1) % 3))
  return unit === 'months' ? addMonths(month, -11) : month
}

/** The period of a unit that a month is in; the last twelve months end with it. */
export function periodOf(unit: Unit, within: string): ReportPeriod {
  const month = startOf(unit, within)
  return { unit, month, from: firstOf(month), to: lastOf(addMonths(month, lengths[unit] - 1)) }
}

/** The period before or after another; undefined when it has not begun. */
export function stepped({ unit, month }: ReportPeriod, by: 1 | -1, today: string): ReportPeriod | undefined {
  const next = addMonths(month, by * lengths[unit])
  return next > monthOf(today) ? undefined : periodOf(unit, next)
}

/** The months of a period in words, in the order of the language. */
export function periodInWords({ unit, month, from, to }: ReportPeriod, language: string): string {
  if (unit === 'year') return month.slice(0, 4)
  if (unit === 'month') return monthInWords(from, language)
  return new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
    new Date(from),
    new Date(to),
  )
}
