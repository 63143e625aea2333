import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../api/call.ts'
import type { Failure } from '../api/failure.ts'
import { inWords } from '../api/refusal-words.ts'
import { FinishSignIn } from '../components/sign-in/finish-sign-in.tsx'
import { m } from '../texts/compiled/messages.js'

/** A truncated address has no code or half of one: the page treats it as an expired sign-in. */
const why = (failure: Failure): string =>
  failure.status === 400 ? m.callback_refused() : inWords(failure, m.callback_refused)

/** Exchanges the code of a sign-in for a session. */
export default function CallbackScreen() {
  return (
    <FinishSignIn
      exchange={(query) => call(addresses.callback, { code: query.get('code') ?? '' })}
      why={why}
    />
  )
}
