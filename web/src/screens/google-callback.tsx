import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import type { Failure } from '../api/failure.ts'
import { inWords } from '../api/refusal-words.ts'
import { FinishSignIn } from '../components/sign-in/finish-sign-in.tsx'
import { SecondStep } from '../components/sign-in/second-step.tsx'
import { useGoOn } from '../components/sign-in/sign-in.ts'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

/**
 * Google reports a cancelled sign-in in the address (RFC 6749); the server refuses it like any other failure.
 */
function why(failure: Failure, query: URLSearchParams): string {
  if (failure.status === 503) return m.google_unreachable()
  if (failure.status === 404) return m.google_not_offered()
  if (failure.errors[0]?.code === 'identity_not_linked') return m.google_other_linked()
  return inWords(failure, query.get('error') === 'access_denied' ? m.google_cancelled : m.callback_refused)
}

/** Completes a sign-in with Google: the server checks the parameters. The second step happens here too. */
export default function GoogleCallbackScreen() {
  const [challenge, setChallenge] = useState<string>()
  const navigate = useNavigate()
  const goOn = useGoOn()
  if (challenge !== undefined)
    return (
      <SecondStep
        challenge={challenge}
        onCode={(code) => goOn(code)}
        onBack={() => void navigate({ to: href('login'), replace: true })}
      />
    )
  return (
    <FinishSignIn
      exchange={(query) => call(addresses.googleCallback, Object.fromEntries(query))}
      why={why}
      onChallenge={setChallenge}
    />
  )
}
