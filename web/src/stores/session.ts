/** The access token, from the cookie that scripts may read; logged in means that it exists (seed, section 4). */
export function accessToken(): string | undefined {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith('token='))
  return found?.slice('token='.length) || undefined
}

/** Forgets the token in this browser; the refresh token is the server's to clear. */
export function forgetToken(): void {
  const expired = 'token=; path=/; max-age=0; samesite=lax'
  // The cookie belongs to the host or to its parent domain; the browser ignores what does not fit.
  const parent = location.hostname.split('.').slice(-2).join('.')
  for (const domain of ['', `; domain=${location.hostname}`, `; domain=.${parent}`]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers.
    document.cookie = expired + domain
  }
}

const lost = new Set<() => void>()

/** The server no longer knows this session: it ran out, or was ended in another place. */
export const loseSession = (): void => {
  for (const hear of lost) hear()
}

export function onSessionLost(hear: () => void): () => void {
  lost.add(hear)
  return () => lost.delete(hear)
}

const inviteKey = 'invite_token'

export const inviteToken = {
  get: (): string | null => localStorage.getItem(inviteKey),
  set: (token: string): void => localStorage.setItem(inviteKey, token),
  remove: (): void => localStorage.removeItem(inviteKey),
}

const nextKey = 'next'

/** Where to go after signing in: a path of this very portal, or the dashboard. */
export function safeNext(text: string | null | undefined): string {
  if (!text?.startsWith('/')) return '/'
  // The URL parser reads `//host` and `/\host` as another host, as a browser would.
  const url = URL.parse(text, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}

/** The target survives the way through the callback page, also through another site's sign-in page. */
export const next = {
  keep: (target: string): void => sessionStorage.setItem(nextKey, safeNext(target)),
  take: (): string => {
    const target = safeNext(sessionStorage.getItem(nextKey))
    sessionStorage.removeItem(nextKey)
    return target
  },
}
