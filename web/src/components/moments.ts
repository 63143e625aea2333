import { perLanguage } from '../ui/per-language.ts'

const relativeIn = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

/** A moment as people say it: "5 minutes ago". */
export function relative(moment: string, language: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000)
  const format = relativeIn(language)
  const steps = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step
    ? format.format(Math.trunc(seconds / step[1]), step[0])
    : format.format(Math.min(seconds, 0), 'second')
}

const exactIn = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
)

/** The same moment exactly, in the reader's zone. */
export const exact = (moment: string, language: string): string => exactIn(language).format(new Date(moment))
