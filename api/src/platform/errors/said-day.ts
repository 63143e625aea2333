import type { Parameter } from '@portico/contract/refusals/refusal.ts'

const format = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const formats = { en: format('en-GB'), ro: format('ro') }

/** A UTC day in a refusal, from ISO 8601: "3 October 2026", "3 octombrie 2026". */
export function saidDay(day: string): Parameter {
  const at = new Date(day)
  return { en: formats.en.format(at), ro: formats.ro.format(at) }
}
