import { asFailure } from '../../api/failure.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'

const minute = 60_000

/** When the server will listen again, as a time of day: it stays true while one reads it. Never a moment too early. */
function timeAfter(seconds: number): string {
  const moment = Math.ceil((Date.now() + seconds * 1000) / minute) * minute
  return new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(moment)
}

/** A refusal in the portal's own words where it has any; `refused` says what a wrong value means here. */
export function inWords(error: unknown, refused: () => string): string {
  const { status, errors, message, retryAfter } = asFailure(error)
  if (status === 0 && errors.length === 0) return m.offline_short()
  if (status === 429) return m.wait_until({ time: timeAfter(retryAfter ?? 60) })
  return status === 401 || status === 422 ? refused() : message
}
