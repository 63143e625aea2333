import * as addresses from '@portico/contract/calls/addresses.ts'
import { accessToken } from '../stores/session.ts'
import { failureOf } from './failure.ts'

async function exchange(before: string | undefined): Promise<void> {
  // Another tab may have refreshed the token while this one waited for the lock.
  if (accessToken() !== before) return
  const response = await fetch(`${addresses.refresh.path}?refreshToken=${addresses.inCookie}`)
  if (!response.ok) throw await failureOf(response)
}

let running: Promise<void> | undefined

/** Gets a new access token, with one call for all requests and tabs that need it at the same time. */
export function refresh(before: string | undefined): Promise<void> {
  running ??= navigator.locks
    .request('auth-refresh', () => exchange(before))
    .finally(() => {
      running = undefined
    })
  return running
}
