import { notFound } from '@tanstack/react-router'
import { queryClient } from '../api/client.ts'
import { asFailure } from '../api/failure.ts'
import { userQuery } from '../api/queries/user.ts'
import { accessToken, forgetToken } from '../stores/session.ts'
import { type DeskRouteName, isReadBy, portal } from './routes.ts'

/** Leaves for a page of the portal; the promise stays open because this page unloads. */
export function leave(to: string): Promise<never> {
  location.replace(to)
  return new Promise(() => undefined)
}

/** Leaves for the sign-in page, which leads back here. */
export function signInAgain(): Promise<never> {
  forgetToken()
  queryClient.clear()
  const { pathname, search, hash } = location
  return leave(`${portal.login}?next=${encodeURIComponent(pathname + search + hash)}`)
}

/** Lets only staff with their second factor through. */
export async function guard(): Promise<void> {
  if (accessToken() === undefined) return signInAgain()
  try {
    const { staff } = await queryClient.ensureQueryData({
      ...userQuery,
      revalidateIfStale: true,
      retry: false,
    })
    if (staff === null) return await leave(portal.dashboard)
    if (staff.needs_second_factor) return await leave(`${portal['manage-account']}#two-factor`)
  } catch (error) {
    // Without a response the session may still be valid, so the page says that it could not load.
    if (asFailure(error).status === 0) throw error
    return signInAgain()
  }
}

/** Hides a page from staff whose role does not read it; `guard` has loaded the person. */
export async function guardPage(name: DeskRouteName): Promise<void> {
  const { staff } = await queryClient.ensureQueryData(userQuery)
  if (!isReadBy(staff?.role, name)) throw notFound()
}
