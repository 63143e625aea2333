import { useLocation, useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { safeNext } from '../../stores/session.ts'
import { useRunning } from '../../ui/loading/running.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * A message of the previous page, in the state of the history: unlike an address, nobody else can have
     * written it.
     */
    message?: string
  }
}

/**
 * The marker of a failed sign-in in the address of the sign-in page, in every language; the page translates
 * it.
 */
export const failedSignIn = 'An error has occured'

/** The message of the previous page. */
export function usePreviousMessage(): string | undefined {
  return useLocation({ select: ({ state }) => state.message })
}

/** A parameter of the address. A prerendered page has none, so the first paint does without. */
export function useParameter(name: string): string | undefined {
  const here = useRunning()
  // The router parses numbers and JSON; the portal itself only writes texts.
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = here ? search[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The path that the person was on the way to, always within this portal. */
export function useNext(): string | undefined {
  const path = safeNext(useParameter('next'))
  return path === href('dashboard') ? undefined : path
}

/** A guest page on the way to `next`; `email`: the address of the person, if known. */
export function toward(page: string, next: string | undefined, email?: string): string {
  const query = new URLSearchParams({
    ...(email !== undefined && { email }),
    ...(next !== undefined && { next }),
  })
  return query.size === 0 ? page : `${page}?${query}`
}

/**
 * The sign-in page with the e-mail filled in, for someone who has just proved that it is theirs; `next`:
 * where to continue.
 */
export const signInAs = (email: string, next?: string): string => toward(href('register-signin'), next, email)
