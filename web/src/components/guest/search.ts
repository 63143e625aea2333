import { useHydrated, useLocation, useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { safeNext } from '../../stores/session.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What the page before has to say on this one; unlike what an address says, nobody else can have written it. */
    said?: string
  }
}

/** What the address of the sign-in page says after a failed sign-in, in any language; the page itself translates it. */
export const failedSignIn = 'An error has occured'

/** What the page before had to say. */
export function useSaid(): string | undefined {
  return useLocation({ select: ({ state }) => state.said })
}

/** A parameter of the address. A page that was rendered at build has none, so the first paint does without. */
export function useParameter(name: string): string | undefined {
  const here = useHydrated()
  // The router reads what looks like a number or like JSON as such; whatever is no text was not made by the portal.
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = here ? search[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Where the person was on the way to: a path of this very portal, whatever the address says. */
export function useNext(): string | undefined {
  const path = safeNext(useParameter('next'))
  return path === href('dashboard') ? undefined : path
}

/** A guest page that one passes on the way there; `email`: whom the page is for, where that is known. */
export function toward(page: string, next: string | undefined, email?: string): string {
  const query = new URLSearchParams({
    ...(email !== undefined && { email }),
    ...(next !== undefined && { next }),
  })
  return query.size === 0 ? page : `${page}?${query}`
}

/** Sign-in with the e-mail filled in, for somebody who has just shown that it is theirs; `next`: where to afterwards. */
export const signInAs = (email: string, next?: string): string => toward(href('register-signin'), next, email)
