import { firstDay, lastDay, pickers } from '@portico/contract/rules/pickers.ts'
import { addDays, addMonths, lastOf, monthOf } from '../../ui/days.ts'

/** The same day of another month, or the last day of that month. */
function otherMonth(day: string, count: number): string {
  const month = addMonths(monthOf(day), count)
  const same = `${month}-${day.slice(-2)}`
  const last = lastOf(month)
  return same < last ? same : last
}

/** Days since the first day of the week. */
const intoWeek = (day: string) => (new Date(day).getUTCDay() - pickers.weekStart + 7) % 7

const steps: Readonly<Record<string, (day: string, far: boolean) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -intoWeek(day)),
  End: (day) => addDays(day, 6 - intoWeek(day)),
  PageUp: (day, far) => otherMonth(day, far ? -12 : -1),
  PageDown: (day, far) => otherMonth(day, far ? 12 : 1),
}

/** The nearest day within the range, not before `min`. */
export function within(day: string, min = firstDay): string {
  if (day < min) return min
  return day > lastDay ? lastDay : day
}

/**
 * The day that a key moves to in a calendar; Page keys with Shift move by years. Undefined for other keys.
 */
export function dayAfterKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  day: string,
): string | undefined {
  return steps[key]?.(day, shiftKey)
}
