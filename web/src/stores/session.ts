/** Where a tab keeps the token of a view, and the page at which it began. */
export const viewKeys = { token: 'view', from: 'view_from' } as const

/** The token by which a member of staff sees an account as its owner does: in this tab alone, beside their own session. */
export function viewToken(): string | null {
  try {
    return sessionStorage.getItem(viewKeys.token)
  } catch {
    // A browser that keeps nothing has no view either.
    return null
  }
}

export const dropView = (): void => sessionStorage.removeItem(viewKeys.token)

/** Ends a view in this tab, and returns to the page at which it began. */
export function leaveView(): void {
  dropView()
  location.replace(safeNext(sessionStorage.getItem(viewKeys.from)))
}

/** The access token, from the cookie that scripts can read; signed in means that it exists. In a view, its token. */
export function accessToken(): string | undefined {
  const view = viewToken()
  if (view) return view
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith('token='))
  return found?.slice('token='.length) || undefined
}

/** Deletes the token in this browser; the server clears the refresh token. The end of a view signs nobody out. */
export function forgetToken(): void {
  if (viewToken()) {
    leaveView()
    return
  }
  const expired = 'token=; path=/; max-age=0; samesite=lax'
  // The cookie belongs to the host or to its parent domain; the browser ignores a domain that does not match.
  const parent = location.hostname.split('.').slice(-2).join('.')
  for (const domain of ['', `; domain=${location.hostname}`, `; domain=.${parent}`]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers.
    document.cookie = expired + domain
  }
}

const lost = new Set<() => void>()

/** The server no longer accepts this session: it expired or was ended on another device. */
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

/** The address to continue to after signing in: a path within the portal, or the dashboard. */
export function safeNext(text: string | null | undefined): string {
  if (!text?.startsWith('/')) return '/'
  // The URL parser reads `//host` and `/\host` as another host, as a browser would.
  const url = URL.parse(text, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}

/** The target is kept through the callback page and the external sign-in. */
export const next = {
  keep: (target: string): void => sessionStorage.setItem(nextKey, safeNext(target)),
  take: (): string => {
    const target = safeNext(sessionStorage.getItem(nextKey))
    sessionStorage.removeItem(nextKey)
    return target
  },
}
