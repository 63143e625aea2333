import type { Failure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'

/** Why something was not done, in words for the person. */
export function inWords(failure: Failure): string {
  if (failure.wantsRecentSignIn) return m.identity_check_declined()
  // Without an answer there is nothing that the server could have said.
  return failure.status === 0 && failure.errors.length === 0
    ? m.offline_short()
    : faultInWords(failure.message)
}
