import type { Failure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import { inWords as plainly } from '../guest/refusal.ts'

/** Why something was not done, in words for the person. */
export function inWords(failure: Failure): string {
  if (failure.wantsRecentSignIn) return m.identity_check_declined()
  return faultInWords(plainly(failure, () => failure.message))
}
