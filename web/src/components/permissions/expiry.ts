import { language } from '../../stores/language.ts'

/** A day where the reader is, on the wire: Swedish dates are those of ISO 8601. */
const dayHere = (moment: Date): string => moment.toLocaleDateString('sv')

/** Today where the reader is. */
export const today = (): string => dayHere(new Date())

/** The end of a day where the reader is, when the access ends. */
export const endOfDay = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString()

/** The day on which the access ends where the reader is. */
export const lastDay = (expiresAt: string | null | undefined): string =>
  expiresAt ? dayHere(new Date(expiresAt)) : ''

/** A moment with the time zone in which it is written, because the guest may read it in another one. */
export const endInWords = (expiresAt: string): string =>
  new Date(expiresAt).toLocaleString(language(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/** The reader's time zone, such as Europe/Bucharest. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
