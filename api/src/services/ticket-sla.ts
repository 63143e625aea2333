/** Where office hours are those of. */
const zone = 'Europe/Bucharest'
const opens = 9 * 60
const closes = 17 * 60
const minuteMs = 60_000

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
