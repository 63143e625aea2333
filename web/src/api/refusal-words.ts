import { minuteMs } from '@portico/contract/time.ts'
import { language } from '../stores/language.ts'
import { m } from '../texts/compiled/messages.js'
import { asFailure } from './failure.ts'

/** When the server will listen again, as a time of day: it stays true while one reads it. Never a moment too early. */
function timeAfter(seconds: number): string {
  const moment = Math.ceil((Date.now() + seconds * 1000) / minuteMs) * minuteMs
  return new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(moment)
}

/**
 * Why something was not done: the server's own sentence, which is in the person's language, or ours where no server
 * answered. `wrong` says what a wrong value (401 or 422) means here, where the page knows better than the server.
 */
export function inWords(error: unknown, wrong?: () => string): string {
  const failure = asFailure(error)
  const { status, errors, message, retryAfter } = failure
  if (failure.wantsRecentSignIn) return m.identity_check_declined()
  if (status === 0 && errors.length === 0) return m.offline_short()
  if (status === 429) return m.wait_until({ time: timeAfter(retryAfter ?? 60) })
  return wrong !== undefined && (status === 401 || status === 422) ? wrong() : message
}
