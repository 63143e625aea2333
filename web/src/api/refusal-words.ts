import { minuteMs } from '@portico/contract/time.ts'
import { language } from '../stores/language.ts'
import { m } from '../texts/compiled/messages.js'
import { asFailure } from './failure.ts'

/**
 * The time of day at which the server accepts requests again, rounded up so that it stays true while it is
 * read.
 */
function timeAfter(seconds: number): string {
  const moment = Math.ceil((Date.now() + seconds * 1000) / minuteMs) * minuteMs
  return new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(moment)
}

/**
 * The reason of a failure: the server's own sentence, which is in the person's language, or ours when no
 * server answered. `wrong` replaces it for a wrong value (401 or 422), where the page can explain more than
 * the server.
 */
export function inWords(error: unknown, wrong?: () => string): string {
  const failure = asFailure(error)
  const { status, errors, message, retryAfter } = failure
  if (failure.wantsRecentSignIn) return m.identity_check_declined()
  if (status === 0 && errors.length === 0) return m.offline_short()
  if (status === 429) return m.wait_until({ time: timeAfter(retryAfter ?? 60) })
  return wrong !== undefined && (status === 401 || status === 422) ? wrong() : message
}
