import { setImmediate } from 'node:timers/promises'
import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { Grant, Staff } from '#platform/context.ts'

/** The current state of the session behind a request. */
export type Principal = {
  readonly sessionId: string
  readonly accountId: string
  readonly clientId: number
  readonly emailVerified: boolean
  /** The language of the account. */
  readonly language: Language
  /** The time of the last authentication, ISO 8601. */
  readonly authenticatedAt: string
  /** The staff record; null for clients. */
  readonly staff: Staff | null
  /** Whether staff rights are withheld until a second factor is set up. */
  readonly needsSecondFactor: boolean
  /** The grants from other clients. */
  readonly grants: readonly Grant[]
}

/** Reads the principals of active sessions in one query; other sessions have none. */
export type ReadPrincipals = (sessionIds: readonly string[]) => Promise<readonly Principal[]>

type Waiting = {
  readonly promise: Promise<Principal | undefined>
  readonly resolve: (principal: Principal | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches the lookups of principals: sessions that are requested in one turn of the event loop, or while a
 * statement runs, are collected, and one statement answers them all. That statement always begins after the
 * request arrived, so a revocation applies to the very next request.
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
