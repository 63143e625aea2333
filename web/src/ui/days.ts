import { perLanguage } from './per-language.ts'

// Business days are UTC days as text: `2026-11-21`; months are `2026-11`. Such text sorts in time order.

const length = 86_400_000

const written = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The business day that it is now. */
export const utcToday = (): string => written(Date.now())

export const addDays = (day: string, count: number): string => written(Date.parse(day) + count * length)

/** Whole days from one day to the other; negative when the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / length)

export const monthOf = (day: string): string => day.slice(0, 7)

export function addMonths(month: string, count: number): string {
  const first = new Date(`${month}-01`)
  first.setUTCMonth(first.getUTCMonth() + count)
  return monthOf(written(first.getTime()))
}

export const firstOf = (month: string): string => `${month}-01`

export const lastOf = (month: string): string => addDays(firstOf(addMonths(month, 1)), -1)

/** Every day of a range, both ends included. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at))

/** Every month that a range of days touches. */
export function monthsFrom(from: string, to: string): string[] {
  const months = [monthOf(from)]
  for (let last = monthOf(from); last < monthOf(to); months.push(last)) last = addMonths(last, 1)
  return months
}

function inWords(options: Intl.DateTimeFormatOptions) {
  const formatIn = perLanguage(
    (language) => new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }),
  )
  return (day: string, language: string): string => formatIn(language).format(new Date(day))
}

/** `21 Nov 2026`, in the order of the language. */
export const dayInWords = inWords({ dateStyle: 'medium' })

/** Without its year, for narrow places. */
export const shortDay = inWords({ day: 'numeric', month: 'short' })

export const monthInWords = inWords({ month: 'long', year: 'numeric' })

/** Without its year, where that is known. */
export const monthAlone = inWords({ month: 'long' })

export const shortMonth = inWords({ month: 'short', year: 'numeric' })
