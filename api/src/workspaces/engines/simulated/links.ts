import { createHash, randomBytes } from 'node:crypto'
import type { SsoAsk, SsoLink } from '#workspaces/engines/panel-engine.ts'

/** The data of the console page: the person, the panel, and the rights. */
export type Visit = { readonly panel: string; readonly ask: SsoAsk; readonly expiresAt: number }

// More links than this occur only in load tests.
const most = 1000

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The sign-in links of the simulated engine; times in milliseconds. */
export class Links {
  readonly #known = new Map<string, Visit>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  make(panel: string, ask: SsoAsk, now: number): SsoLink {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = now + ask.ttlSeconds * 1000
    const [oldest] = this.#known.keys()
    if (this.#known.size >= most && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(hashed(token), { panel, ask, expiresAt })
    return { url: `${this.#url}?token=${token}`, expiresAt: new Date(expiresAt).toISOString() }
  }

  redeem(token: string, now: number): Visit | undefined {
    const key = hashed(token)
    const visit = this.#known.get(key)
    this.#known.delete(key)
    return visit && visit.expiresAt > now ? visit : undefined
  }

  revoke(panel: string, subject: string): void {
    for (const [key, visit] of this.#known)
      if (visit.panel === panel && visit.ask.subject === subject) this.#known.delete(key)
  }
}
