import type { TestApp } from '../../api/test/support/app.ts'
import type { Browser } from '../../api/test/support/people.ts'

// As much of a browser as the client of the browser app looks at, so that its own code can be run against the real server.

/** A record as localStorage is one. */
function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    getItem: (name) => kept.get(name) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (name) => void kept.delete(name),
    setItem: (name, value) => void kept.set(name, value),
  }
}

export type IdentityEnv = {
  /** Every call that went out, as `GET /api/user`. */
  readonly asked: string[]
  readonly storage: Storage
  /** What other hosts answer, by address. */
  readonly elsewhere: Map<string, string>
  cookie: string
  /** Whose refresh token the browser has in a cookie that scripts cannot read. */
  refreshing?: Browser
}

const host = 'http://localhost:3000'

/** Lets `fetch`, `document.cookie` and `localStorage` be those of a page of the portal. */
export function beBrowser(app: TestApp['app']): IdentityEnv {
  const around: IdentityEnv = { asked: [], storage: storage(), elsewhere: new Map(), cookie: '' }
  const answer = async (input: string | URL | Request, init: RequestInit = {}) => {
    const { href, pathname, search } = new URL(String(input), host)
    const foreign = around.elsewhere.get(href)
    if (foreign !== undefined) return new Response(foreign)
    const { method = 'GET' } = init
    around.asked.push(`${method} ${pathname}`)
    if (pathname === '/auth/token' && around.refreshing) {
      const renewed = await around.refreshing.refresh()
      around.cookie = `token=${around.refreshing.cookies.get('token')}`
      return new Response(renewed.body, { status: renewed.statusCode })
    }
    const sent = { method, url: pathname + search, headers: Object.fromEntries(new Headers(init.headers)) }
    // The client of the browser app sends texts alone.
    const body = init.body as string | undefined
    const got = await app.inject({
      // Fastify's own list of methods is what is asked for here.
      ...(sent as { method: 'GET' | 'POST'; url: string; headers: Record<string, string> }),
      ...(body !== undefined && { payload: body }),
    })
    return new Response(got.body || null, {
      status: got.statusCode,
      headers: { 'content-type': String(got.headers['content-type'] ?? 'text/plain') },
    })
  }
  Object.assign(globalThis, {
    fetch: answer,
    window: globalThis,
    localStorage: around.storage,
    location: new URL(host),
    document: {
      get cookie() {
        return around.cookie
      },
    },
  })
  return around
}
