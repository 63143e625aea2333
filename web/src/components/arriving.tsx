import type { User } from '@portico/contract/calls/user.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asFailure, type Failure } from '../api/failure.ts'
import { href } from '../routes.ts'
import { hasChosenLanguage, setLanguage } from '../stores/language.ts'
import { inviteToken, next } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'
import { failedSignIn } from './guest/search.ts'
import { home } from './invited.ts'

/** `linked`: nobody signed in; an account elsewhere was added to the one that is signed in. */
type Exchange = (query: URLSearchParams) => Promise<{ user: User; linked?: boolean }>

// A code works once and the target is taken once, however often a component is mounted: the person's language, which is
// known only now, mounts everything anew.
const begun = new Map<string, Promise<string>>()

/** Signs in, and answers the address to go on to. */
function once(exchange: Exchange): Promise<string> {
  const key = location.search
  const known = begun.get(key)
  if (known) return known
  const fresh = exchange(new URLSearchParams(key)).then(({ user, linked = false }) => {
    if (!hasChosenLanguage()) setLanguage(user.language)
    const target = next.take()
    if (target !== href('dashboard')) return target
    return linked ? href('manage-account') : home()
  })
  begun.set(key, fresh)
  return fresh
}

/** What the second step is to answer, where the first was right and there is one. */
function challengeOf({ errors }: Failure): string | undefined {
  const challenge = errors.find(({ code }) => code === 'two_factor_required')?.meta?.challenge
  return typeof challenge === 'string' ? challenge : undefined
}

type Props = {
  exchange: Exchange
  /** Why it failed, in words for whoever is at the sign-in page again. */
  why: (failure: Failure, query: URLSearchParams) => string
  /** Takes over where a second step is to follow. */
  onChallenge?: (challenge: string) => void
}

/** Ends a sign-in: on success to where the person wanted to go, on failure back to the sign-in page (seed, section 8). */
export function Arriving({ exchange, why, onChallenge }: Props) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever is handed in anew.
  useEffect(() => {
    let here = true
    once(exchange).then(
      (target) => {
        // The address as it was, so that the router reads its search and its hash as it always does.
        if (here) void navigate({ href: target, replace: true })
      },
      (error: unknown) => {
        const failure = asFailure(error)
        const challenge = challengeOf(failure)
        if (challenge !== undefined && onChallenge) return onChallenge(challenge)
        inviteToken.remove()
        // biome-ignore lint/suspicious/noConsole: the page that would show it is left; support asks for the console.
        console.error(failure.message)
        if (!here) return
        const state = { said: why(failure, new URLSearchParams(location.search)) }
        void navigate({ to: href('login'), search: { error: failedSignIn }, state, replace: true })
      },
    )
    return () => {
      here = false
    }
  }, [])
  return (
    <>
      <h1 tabIndex={-1} style={{ textAlign: 'center' }}>
        {m.callback_title()}
      </h1>
      <p className="quiet" style={{ textAlign: 'center' }}>
        {m.callback_text()}
      </p>
    </>
  )
}
