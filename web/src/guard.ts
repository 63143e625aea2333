import type { User } from '@portico/contract/calls/user.ts'
import { queryClient } from './api/client.ts'
import { asFailure } from './api/failure.ts'
import { billingQuery } from './api/queries/billing.ts'
import { userQuery } from './api/queries/user.ts'
import { workspacesQuery } from './api/queries/workspaces.ts'
import { deskHome, href, type RouteName } from './routes.ts'
import { accessToken, forgetToken } from './stores/session.ts'

/** The redirect of a protected page: a path, or undefined to show the page. */
export type Detour = { to: string; search?: { next: string }; hash?: string } | undefined

type Guard = (
  target: RouteName,
  user: User,
) => 'register-google' | 'verify' | 'terms' | 'manage-account' | 'desk' | false | undefined

const completesGoogle: Guard = (target, user) =>
  user.google_process === 0 && target !== 'register-google' && 'register-google'

/** New terms are accepted once the address is confirmed. */
const verifiesAndAccepts: Guard = (_, user) =>
  user.email_verified_at === null ? 'verify' : user.terms_due !== null && 'terms'

const turnsOnSecondFactor: Guard = (target, { staff }) =>
  staff?.needs_second_factor && target !== 'manage-account' && 'manage-account'

/** Staff have their account here; everything else of theirs is at the desk. */
const worksAtDesk: Guard = (target, { staff }) => staff !== null && target !== 'manage-account' && 'desk'

/**
 * Leaves for the desk, which is another app; the promise stays open because this page unloads. Letters and notices lead
 * clients and staff to tickets by the same address. The tickets of a panel have no page there.
 */
function leaveForDesk(address: string): Promise<never> {
  const [, rest] = /^\/(?:view-ticket(?=\/)|tickets(?=[?#]|$))(.*)/.exec(address) ?? []
  location.replace(rest === undefined ? deskHome : `${deskHome}/tickets${rest}`)
  return new Promise(() => undefined)
}

/** Checks run in this order; the first redirect wins. */
const guards: readonly Guard[] = [completesGoogle, verifiesAndAccepts, turnsOnSecondFactor, worksAtDesk]

/** Returns a redirect unless the person is signed in and has nothing left to complete. */
export async function guard(target: RouteName, address: string): Promise<Detour> {
  // The pages of pending steps return here.
  const by = (page: 'login' | 'register-google' | 'verify' | 'terms'): Detour => ({
    to: href(page),
    ...(address !== '/' && { search: { next: address } }),
  })
  const toLogin = by('login')
  if (accessToken() === undefined) {
    // Clears cached data of a previous person.
    queryClient.clear()
    return toLogin
  }
  // The first page shows these too: they load in parallel with the person.
  if (queryClient.getQueryData(userQuery.queryKey) === undefined) {
    void queryClient.prefetchQuery(workspacesQuery)
    void queryClient.prefetchQuery(billingQuery)
  }
  try {
    const user = await queryClient.ensureQueryData({ ...userQuery, revalidateIfStale: true, retry: false })
    for (const object of guards) {
      const page = object(target, user)
      if (page === 'desk') return await leaveForDesk(address)
      // This page is no step on the way to another.
      if (page === 'manage-account') return { to: href(page), hash: 'two-factor' }
      if (page) return by(page)
    }
    return undefined
  } catch (error) {
    // No response arrived: the session may still be valid, so the person stays signed in.
    if (asFailure(error).status !== 0) forgetToken()
    queryClient.clear()
    return toLogin
  }
}
