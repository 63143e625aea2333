import { minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'

/** The time zone of office hours. */
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

/** The minute of the day and the weekday in the office's time zone. */
function inOffice(at: number): { minute: number; isWorkday: boolean } {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  return { minute, isWorkday: !['Sat', 'Sun'].includes(parts.get('weekday') ?? '') }
}

/**
 * The deadline of the first answer: a number of minutes from a moment, around the clock or in office hours,
 * on weekdays from 9 to 17 in Bucharest.
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

/**
 * The minutes between two moments, counted like `responseDue`; zero when the second is not after the first.
 */
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

/** A deadline after a pause: the remaining time is the same as at its start. */
export const dueAfterStop = (due: Date, stopped: Date, now: Date, officeHours: boolean): Date =>
  due <= stopped ? due : responseDue(now, minutesBetween(stopped, due, officeHours), officeHours)

/** The share of a department's time by priority, from 1, low, to 4, urgent. */
const shareOf: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 0.5, 4: 0.25 }

/** The minutes for a ticket of a priority, by the target of its department. */
export const minutesFor = (priority: number, minutes: number): number => minutes * (shareOf[priority] ?? 1)

/** A deadline after a change of its minutes: used time stays used. Now, when nothing is left. */
export function dueAfterChange(
  due: Date,
  at: Date,
  { more, officeHours }: { readonly more: number; readonly officeHours: boolean },
): Date {
  const left = minutesBetween(at, due, officeHours) - minutesBetween(due, at, officeHours) + more
  if (left > 0) return responseDue(at, left, officeHours)
  return due < at ? due : at
}

/** The stage of a deadline for notifications, in percent: in the last quarter, or past. */
export function stageOf(now: Date, due: Date, minutes: number, officeHours: boolean): 0 | 75 | 100 {
  if (now >= due) return 100
  return minutesBetween(now, due, officeHours) <= minutes / 4 ? 75 : 0
}

/** SQL: the earliest deadline of a ticket, `t` of `tickets`; the first answer's counts until it was given. */
export const dueAt = (t: string) => sql`least(
  case when ${sql.ref(`${t}.first_responded_at`)} is null then ${sql.ref(`${t}.first_response_due`)} end,
  ${sql.ref(`${t}.resolve_due`)})`
