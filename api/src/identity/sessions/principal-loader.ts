import { setImmediate } from 'node:timers/promises'
import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { Grant, Staff } from '#platform/context.ts'

/** What the database says, at this moment, of the session behind a request. */
export type Principal = {
  readonly sessionId: string
  readonly accountId: string
  readonly clientId: number
  readonly emailVerified: boolean
  /** The account's. */
  readonly language: Language
  /** When they last proved who they are, ISO 8601. */
  readonly authenticatedAt: string
  /** What they are of the staff; null for clients. */
  readonly staff: Staff | null
  /** Whether their rights as staff wait for a second factor. */
  readonly needsSecondFactor: boolean
  /** What others open to them. */
  readonly grants: readonly Grant[]
}

/** Reads the principals of live sessions, all at once; a session that is not live has none. */
export type ReadPrincipals = (sessionIds: readonly string[]) => Promise<readonly Principal[]>

type Waiting = {
  readonly promise: Promise<Principal | undefined>
  readonly resolve: (principal: Principal | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers many requests' question "who is this, now?" with few statements, as a database commits in groups: sessions that
 * are asked for in one turn of the event loop, or while a statement runs, gather, and one statement answers them all. The
 * statement that answers a request always begins after the request arrived, so a revocation counts for the very next one.
 */
export class PrincipalLoader {
  readonly #read: ReadPrincipals
  #gathering = new Map<string, Waiting>()
  #running = false

  constructor(read: ReadPrincipals) {
    this.#read = read
  }

  /** The principal of a session; undefined when the session, its account or its client may not act. */
  load(sessionId: string): Promise<Principal | undefined> {
    const present = this.#gathering.get(sessionId)
    if (present) return present.promise
    const waiting = Promise.withResolvers<Principal | undefined>()
    this.#gathering.set(sessionId, waiting)
    if (!this.#running) void this.#run()
    return waiting.promise
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#gathering.size > 0) {
      await setImmediate()
      const asked = this.#gathering
      this.#gathering = new Map()
      await this.#answer(asked)
    }
    this.#running = false
  }

  async #answer(asked: Map<string, Waiting>): Promise<void> {
    try {
      for (const principal of await this.#read([...asked.keys()]))
        asked.get(principal.sessionId)?.resolve(principal)
      for (const { resolve } of asked.values()) resolve(undefined)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }
}
