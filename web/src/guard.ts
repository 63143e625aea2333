import type { User } from '@portico/contract/calls/user.ts'
import { billingQuery } from './api/billing.ts'
import { queryClient } from './api/client.ts'
import { asFailure } from './api/failure.ts'
import { userQuery } from './api/user.ts'
import { workspacesQuery } from './api/workspaces.ts'
import { href, type RouteName } from './routes.ts'
import { accessToken, forgetToken } from './stores/session.ts'

/** Where a protected page sends somebody instead: a path, or nowhere, and then the page is shown. */
export type Detour = { to: string; search?: { next: string }; hash?: string } | undefined

type Guard = (
  target: RouteName,
  user: User,
) => 'register-google' | 'verify' | 'manage-account' | 'tickets' | undefined

const completesGoogle: Guard = (target, user) =>
  user.google_process === 0 && target !== 'register-google' ? 'register-google' : undefined

const verifiesEmail: Guard = (_, user) => (user.email_verified_at === null ? 'verify' : undefined)

const turnsOnSecondFactor: Guard = (target, { staff }) =>
  staff?.needs_second_factor && target !== 'manage-account' ? 'manage-account' : undefined

/** What staff have: the other pages are about an account, and theirs holds nothing. */
const ofStaff: readonly RouteName[] = ['tickets', 'view-ticket', 'manage-account']

const answersTickets: Guard = (target, { staff }) =>
  staff !== null && !ofStaff.includes(target) ? 'tickets' : undefined

/** In this order (seed, section 4); the first that objects decides. */
const guards: readonly Guard[] = [completesGoogle, verifiesEmail, turnsOnSecondFactor, answersTickets]

/** Signed in, known, and with nothing left to complete; otherwise the page to go to instead. */
export async function guard(target: RouteName, address: string): Promise<Detour> {
  // What is to be done first leads on to here.
  const by = (page: 'login' | 'register-google' | 'verify'): Detour => ({
    to: href(page),
    ...(address !== '/' && { search: { next: address } }),
  })
  const toLogin = by('login')
  if (accessToken() === undefined) {
    // What an earlier person has seen must not be there for the next one.
    queryClient.clear()
    return toLogin
  }
  // A first page shows these too: they come while it is asked who this is.
  if (queryClient.getQueryData(userQuery.queryKey) === undefined) {
    void queryClient.prefetchQuery(workspacesQuery)
    void queryClient.prefetchQuery(billingQuery)
  }
  try {
    const user = await queryClient.ensureQueryData({ ...userQuery, revalidateIfStale: true, retry: false })
    for (const object of guards) {
      const page = object(target, user)
      // These are no steps on the way to another.
      if (page === 'tickets') return { to: href(page) }
      if (page === 'manage-account') return { to: href(page), hash: 'two-factor' }
      if (page) return by(page)
    }
    return undefined
  } catch (error) {
    // Nothing came back: the session may well be alive, and signing in again would be asked for nothing.
    if (asFailure(error).status !== 0) forgetToken()
    queryClient.clear()
    return toLogin
  }
}
