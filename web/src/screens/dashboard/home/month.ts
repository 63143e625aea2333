import { addDays, addMonths, daysBetween, firstOf, lastOf, monthOf } from '../../../ui/days.ts'

/** The month so far, and the same days of the month before. */
export function sameDays(today: string) {
  const month = monthOf(today)
  const before = addMonths(month, -1)
  const until = addDays(firstOf(before), daysBetween(firstOf(month), today))
  return {
    from: firstOf(month),
    before: { month: before, from: firstOf(before), to: monthOf(until) === before ? until : lastOf(before) },
  }
}

/** How much more than before, in per cent and rounded; undefined without anything before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 ? Math.round((100 * (now - before)) / before) : undefined
