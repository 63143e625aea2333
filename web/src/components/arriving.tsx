import type { User } from '@portico/contract/calls/user.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { anErrorHasOccured, asFailure } from '../api/failure.ts'
import { href } from '../routes.ts'
import { hasChosenLanguage, setLanguage } from '../stores/language.ts'
import { inviteToken, next } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'

type Exchange = (query: URLSearchParams) => Promise<User>

// A code works once, however often a component is mounted.
const begun = new Map<string, Promise<User>>()

function once(exchange: Exchange): Promise<User> {
  const key = location.search
  const known = begun.get(key)
  if (known) return known
  const fresh = exchange(new URLSearchParams(key))
  begun.set(key, fresh)
  return fresh
}

/** Ends a sign-in: on success to where the person wanted to go, on failure back to the sign-in page (seed, section 8). */
export function Arriving({ exchange }: { exchange: Exchange }) {
  const navigate = useNavigate()
  useEffect(() => {
    let here = true
    const go = (to: string, search = {}): void => {
      if (here) void navigate({ to, search, replace: true })
    }
    once(exchange).then(
      (user) => {
        if (!hasChosenLanguage()) setLanguage(user.language)
        const target = new URL(next.take(), location.origin)
        go(target.pathname, Object.fromEntries(target.searchParams))
      },
      (error: unknown) => {
        inviteToken.remove()
        // biome-ignore lint/suspicious/noConsole: the page that would show it is left; support asks for the console.
        console.error(asFailure(error).message)
        go(href('login'), { error: anErrorHasOccured })
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
