import type { User } from '@portico/contract/calls/user.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asFailure, type Failure } from '../../api/failure.ts'
import { href, isOfDesk } from '../../routes.ts'
import { hasChosenLanguage, setLanguage } from '../../stores/language.ts'
import { inviteToken, next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { failedSignIn } from '../guest/search.ts'
import { home } from './home-path.ts'

/** `linked`: an external account was linked to the signed-in account, without a new session. */
type Exchange = (query: URLSearchParams) => Promise<{ user: User; linked?: boolean }>

// A code works once and the target is used once, however often the component mounts: the language of the
// person, which is known only now, remounts the tree.
const begun = new Map<string, Promise<string>>()

/** Signs in and returns the address to continue to. */
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

/** The challenge of the second step, where the first step succeeded and there is one. */
function challengeOf({ errors }: Failure): string | undefined {
  const challenge = errors.find(({ code }) => code === 'two_factor_required')?.meta?.challenge
  return typeof challenge === 'string' ? challenge : undefined
}

type Props = {
  exchange: Exchange
  /** The reason of a failure, worded for the sign-in page. */
  why: (failure: Failure, query: URLSearchParams) => string
  /** Takes over when a second step follows. */
  onChallenge?: (challenge: string) => void
}

/**
 * Completes a sign-in: on success it continues to the requested page, on failure it returns to the sign-in
 * page.
 */
export function FinishSignIn({ exchange, why, onChallenge }: Props) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, whatever changes in the props.
  useEffect(() => {
    let here = true
    once(exchange).then(
      (target) => {
        if (!here) return
        // The desk is another app.
        if (isOfDesk(target)) return location.replace(target)
        // The target keeps its form, so that the router parses its search and hash as usual.
        void navigate({ href: target, replace: true })
      },
      (error: unknown) => {
        const failure = asFailure(error)
        const challenge = challengeOf(failure)
        if (challenge !== undefined && onChallenge) return onChallenge(challenge)
        inviteToken.remove()
        // biome-ignore lint/suspicious/noConsole: the page that would show it is left; support asks for the console.
        console.error(failure.message)
        if (!here) return
        const state = { message: why(failure, new URLSearchParams(location.search)) }
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
