import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { Arriving } from '../components/arriving.tsx'
import { SecondStep } from '../components/guest/second-step.tsx'
import { useGoOn } from '../components/guest/sign-in.ts'
import { href } from '../routes.ts'

/** Finishes a sign-in with Google: what it sent back is the server's to judge. The second step is asked for here too. */
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
    <Arriving
      exchange={(query) => call(addresses.googleCallback, Object.fromEntries(query))}
      onChallenge={setChallenge}
    />
  )
}
