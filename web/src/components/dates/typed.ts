import { firstDay, lastDay } from '@portico/contract/rules/pickers.ts'
import { dayInWords } from '../../ui/days.ts'

// Days and moments are in wire format (`2026-11-21`, UTC); people type the time of day in their own zone.

const two = (number: number) => String(number).padStart(2, '0')

/** A calendar day within the allowed years; undefined for 31 February. */
function dayFrom(year: number, month: number, day: number): string | undefined {
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const time = Date.parse(text)
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  return exists && text >= firstDay && text <= lastDay ? text : undefined
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

const shortestName = 3

/** The number of a month by its name or abbreviation, in the language or in English; 0 for none. */
function monthNamed(name: string, language: string): number {
  const begins = (month: number) =>
    [language, 'en'].some((one) => {
      const long = new Intl.DateTimeFormat(one, { month: 'long', timeZone: 'UTC' })
      return plain(long.format(Date.UTC(2000, month))).startsWith(plain(name))
    })
  return name.length < shortestName ? 0 : Array.from({ length: 12 }, (_, at) => at).findIndex(begins) + 1
}

/** `21 Nov 2026` and `Nov 21, 2026`. */
function dayNamed(text: string, language: string): string | undefined {
  const parts = text.match(/\p{L}+|\d+/gu) ?? []
  const [name, ...more] = parts.filter((part) => /\p{L}/u.test(part))
  const [year, ...years] = parts.filter((part) => /^\d{4}$/.test(part))
  const [day, ...days] = parts.filter((part) => /^\d{1,2}$/.test(part))
  if (name === undefined || more.length + years.length + days.length > 0) return undefined
  return dayFrom(Number(year), monthNamed(name, language), Number(day))
}

/**
 * Parses a typed day: `2026-11-21`, `21.11.2026`, or with the name of the month; `11/21/2026` is English,
 * other languages write the day first. Undefined when it is invalid or out of range.
 */
export function dayTyped(typed: string, language: string): string | undefined {
  const text = typed.trim()
  const [, year, month, day] = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) return dayFrom(Number(year), Number(month), Number(day))
  const [, first, mark, second, last] = /^(\d{1,2})([-./]) ?(\d{1,2})\2 ?(\d{4})$/.exec(text) ?? []
  if (first === undefined) return dayNamed(text, language)
  const [of, on] = mark === '/' && language === 'en' ? [first, second] : [second, first]
  return dayFrom(Number(last), Number(of), Number(on))
}

/** A day and a time of day, `09:05:00`, in the reader's zone as a moment. */
export const momentAt = (day: string, time: string): string => new Date(`${day}T${time}`).toISOString()

/** The day and time of day of a moment in the reader's zone; undefined for an invalid text. */
export function partsOf(moment: string): { day: string; time: string } | undefined {
  const at = new Date(moment)
  if (!moment.endsWith('Z') || Number.isNaN(at.getTime())) return undefined
  return {
    day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':'),
  }
}

/** The current day of the reader. */
export const today = (): string => partsOf(new Date().toISOString())?.day ?? firstDay

const noon = 12

/** Converts a 12-hour clock to 24 hours. */
const hourOf = (hour: number, half: string): number =>
  half === '' ? hour : (hour % noon) + (half === 'pm' ? noon : 0)

/** Parses a typed moment: a day as above, then `14:35`, `14:35:20` or `2:35 pm`. */
export function momentTyped(typed: string, language: string): string | undefined {
  const match = /^(.+?)[\sT]+(\d{1,2}):([0-5]\d)(?::([0-5]\d))?\s*([ap]m)?$/i.exec(typed.trim())
  if (match === null) return undefined
  const [, before = '', hours = '', minutes = '', seconds = '00', half = ''] = match
  const day = dayTyped(before.replace(/,$/, ''), language)
  const hour = hourOf(Number(hours), half.toLowerCase())
  const exists = half === '' ? hour < 24 : Number(hours) >= 1 && Number(hours) <= noon
  return day !== undefined && exists ? momentAt(day, `${two(hour)}:${minutes}:${seconds}`) : undefined
}

/** Formats a day for the reader; returns other texts unchanged. */
export const dayWritten = (value: string, language: string): string =>
  dayTyped(value, language) === value ? dayInWords(value, language) : value

/** Formats a moment for the reader, without seconds of zero; returns other texts unchanged. */
export function momentWritten(value: string, language: string): string {
  const parts = partsOf(value)
  return parts ? `${dayInWords(parts.day, language)}, ${parts.time.replace(/:00$/, '')}` : value
}
