import type { User } from '@portico/contract/calls/user.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { anErrorHasOccured, asFailure } from '../api/failure.ts'
import { href } from '../routes.ts'
import { hasChosenLanguage, setLanguage } from '../stores/language.ts'
import { inviteToken, next } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'

type Exchange = (query: URLSearchParams) => Promise<User>

// A code works once and the target is taken once, however often a component is mounted: the person's language, which is
// known only now, mounts everything anew.
const begun = new Map<string, Promise<string>>()

/** Signs in, and answers the address to go on to. */
function once(exchange: Exchange): Promise<string> {
  const key = location.search
  const known = begun.get(key)
  if (known) return known
  const fresh = exchange(new URLSearchParams(key)).then((user) => {
    if (!hasChosenLanguage()) setLanguage(user.language)
    return next.take()
  })
  begun.set(key, fresh)
  return fresh
}

/** Ends a sign-in: on success to where the person wanted to go, on failure back to the sign-in page (seed, section 8). */
export function Arriving({ exchange }: { exchange: Exchange }) {
  const navigate = useNavigate()
  useEffect(() => {
    let here = true
    once(exchange).then(
      (target) => {
        // The address as it was, so that the router reads its search and its hash as it always does.
        if (here) void navigate({ href: target, replace: true })
      },
      (error: unknown) => {
        inviteToken.remove()
        // biome-ignore lint/suspicious/noConsole: the page that would show it is left; support asks for the console.
        console.error(asFailure(error).message)
        if (here) void navigate({ to: href('login'), search: { error: anErrorHasOccured }, replace: true })
      },
    )
    return () => {
      here = false
    }
  }, [exchange, navigate])
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
