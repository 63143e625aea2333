import { minuteMs } from '@portico/contract/time.ts'

/** Where office hours are those of. */
const zone = 'Europe/Bucharest'
const opens = 9 * 60
const closes = 17 * 60

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: zone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The minute of the day and the day of the week in the office, at a moment. */
function inOffice(at: number): { minute: number; isWorkday: boolean } {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  return { minute, isWorkday: !['Sat', 'Sun'].includes(parts.get('weekday') ?? '') }
}

/**
 * Until when the first answer is aimed at: so many minutes from a moment, counted around the clock or, in office hours, on
 * weekdays from 9 to 17 in Bucharest.
 */
export function responseDue(from: Date, minutes: number, officeHours: boolean): Date {
  let at = from.getTime()
  if (!officeHours) return new Date(at + minutes * minuteMs)
  let left = minutes
  while (true) {
    const { minute, isWorkday } = inOffice(at)
    if (isWorkday && minute >= opens && minute < closes) {
      const today = closes - minute
      if (left <= today) return new Date(at + left * minuteMs)
      left -= today
      at += today * minuteMs
    } else at += ((opens - minute + 1440) % 1440 || 1440) * minuteMs
  }
}

/** How many minutes lie between two moments, counted as `responseDue` does; none when the second is not after the first. */
function minutesBetween(from: Date, to: Date, officeHours: boolean): number {
  let at = from.getTime()
  const end = to.getTime()
  if (!officeHours) return Math.max(0, end - at) / minuteMs
  let minutes = 0
  while (at < end) {
    const { minute, isWorkday } = inOffice(at)
    if (isWorkday && minute >= opens && minute < closes) {
      const step = Math.min(closes - minute, (end - at) / minuteMs)
      minutes += step
      at += step * minuteMs
    } else at += ((opens - minute + 1440) % 1440 || 1440) * minuteMs
  }
  return minutes
}

/** When something is due whose time stood still since a moment: as much is left of it as was then. */
export const dueAfterStop = (due: Date, stopped: Date, now: Date, officeHours: boolean): Date =>
  due <= stopped ? due : responseDue(now, minutesBetween(stopped, due, officeHours), officeHours)

/** How much of a department's time a ticket of a priority has, from 1, low, to 4, urgent. */
const shareOf: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 0.5, 4: 0.25 }

/** How many minutes a ticket of a priority has, of those that its department aims at. */
export const minutesFor = (priority: number, minutes: number): number => minutes * (shareOf[priority] ?? 1)

/**
 * When something is due that has so many minutes more, or fewer, from a moment on: what was used of them stays used. At once,
 * when nothing is left.
 */
export function dueAfterChange(
  due: Date,
  at: Date,
  { more, officeHours }: { readonly more: number; readonly officeHours: boolean },
): Date {
  const left = minutesBetween(at, due, officeHours) - minutesBetween(due, at, officeHours) + more
  if (left > 0) return responseDue(at, left, officeHours)
  return due < at ? due : at
}

/** How much of a time is up, as far as staff is told of it, in percent: the last quarter has begun, or it is over. */
export function stageOf(now: Date, due: Date, minutes: number, officeHours: boolean): 0 | 75 | 100 {
  if (now >= due) return 100
  return minutesBetween(now, due, officeHours) <= minutes / 4 ? 75 : 0
}
