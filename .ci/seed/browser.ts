import type { TestApp } from '../../api/test/support/app.ts'
import type { Browser } from '../../api/test/support/people.ts'

// The parts of a browser that the client of the browser app uses, so that its own code runs against the real
// server.

/** A record with the interface of localStorage. */
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
  /** Every request that was sent, as `GET /api/user`. */
  readonly asked: string[]
  readonly storage: Storage
  /** The answers of other hosts, by address. */
  readonly elsewhere: Map<string, string>
  cookie: string
  /** The person whose refresh token is in the browser's HttpOnly cookie. */
  refreshing?: Browser
}

const host = 'http://localhost:3000'

/** Replaces `fetch`, `document.cookie` and `localStorage` by those of a page of the portal. */
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
    // The client of the browser app sends only text bodies.
    const body = init.body as string | undefined
    const got = await app.inject({
      // Fastify accepts its own list of methods here.
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
