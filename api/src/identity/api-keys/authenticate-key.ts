import type { FastifyRequest } from 'fastify'
import { lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'
import { inOne } from '#identity/identity-context.ts'
import { recordSeldom } from '#identity/security/events.ts'
import { invalidToken, unauthenticated } from '#identity/sessions/refusal.ts'
import type { Actor } from '#platform/context.ts'
import { storedAddress } from '#platform/db/address.ts'
import { reason } from '#platform/errors/problem.ts'
import { mayAct } from '#reference/client-status.ts'
import { hashOfKey, keyActor, keyMark, keyUsed } from './api-keys.ts'

// Staff have no client role, so a key of their former client account is invalid too.
const keySql = `
select k.id, k.name, k.scopes, k.project_id as project, k.client_id as "clientId", a.id as "accountId",
  coalesce($2::inet <<= any(k.allowed_ips), false) as "fromHere"
from api_keys k join clients c on c.id = k.client_id join auth_accounts a on a.id = c.auth_id
where k.secret_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
  and a.disabled_at is null and a.verified_at is not null and c.status in (${mayAct.join(', ')})
  and a.kind = 'client'`

type Found = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly project: number | null
  readonly clientId: number
  readonly accountId: string
  readonly fromHere: boolean
}

// Enough for all concurrently active keys; at about 200 bytes each, a megabyte.
const mostRemembered = 5000

// A program that was moved to another address retries forever; the limit keeps the log readable.
const refusalsInAnHour = 12

const place = (hash: Buffer, ip: string): string => `${hash.toString('base64')} ${ip}`

/** Whether a bearer token has the form of an API key. */
export const isApiKey = (token: string): boolean => token.startsWith(keyMark)

/** Authenticates requests with an API key, from the database on every request, like sessions. */
export class ApiKeys {
  readonly #deps: Deps
  /**
   * The accounts of recently valid keys, by key and address, for rate limiting only: this map authenticates
   * nobody.
   */
  readonly #known = new Map<string, string>()
  readonly #used = new Map<string, number>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The subject of rate limiting: one for all keys of an account, because twenty keys would otherwise
   * multiply its limit. Undefined for a key that was not valid here, which counts against its address, so
   * that a thief at another address cannot use up the owner's limit.
   */
  known(token: string, ip: string): string | undefined {
    return this.#known.get(place(hashOfKey(token), ip))
  }

  /**
   * The actor of a key. Throws `api_key_unknown` for an unknown, revoked or expired key or one whose owner
   * may not act, all alike and in the same time; `address_not_allowed` for a request from a forbidden
   * address, which is logged.
   */
  async actor(token: string, request: FastifyRequest): Promise<Actor> {
    const hash = hashOfKey(token)
    const ip = storedAddress(request.ip)
    const now = this.#deps.clock.now()
    const rows = await this.#deps.pool.run<Found>({ sql: keySql, values: [hash, ip, now.toISOString()] })
    const [key] = rows
    if (key === undefined) {
      this.#known.delete(place(hash, request.ip))
      throw unauthenticated(reason('api_key_unknown'), invalidToken)
    }
    request.clientId = key.clientId
    request.language = 'of a program'
    if (!key.fromHere) return this.#refuse(key, request)
    this.#remember(place(hash, request.ip), `keys of ${key.clientId}`)
    this.#touch(key.id, ip, request)
    return keyActor(key, { id: key.clientId, accountId: key.accountId })
  }

  #remember(at: string, whom: string): void {
    if (this.#known.size >= mostRemembered) this.#known.clear()
    this.#known.set(at, whom)
  }

  async #refuse({ accountId, name }: Found, request: FastifyRequest): Promise<never> {
    const origin = { ip: request.ip, userAgent: request.headers['user-agent'] }
    await inOne(this.#deps, origin, (work) =>
      recordSeldom(work, { accountId, kind: 'api-key-refused', about: name }, refusalsInAnHour),
    )
    throw unauthenticated(reason('address_not_allowed'), invalidToken)
  }

  /** Records the last use of a key, without delaying the request, at most once a minute. */
  #touch(id: string, ip: string | null, request: FastifyRequest): void {
    const now = this.#deps.clock.now()
    if (now.getTime() - (this.#used.get(id) ?? Number.NEGATIVE_INFINITY) < lifetimes.lastSeen) return
    if (this.#used.size >= mostRemembered) this.#used.clear()
    this.#used.set(id, now.getTime())
    keyUsed(this.#deps.pool.kysely, { id, ip, now, atMostEvery: lifetimes.lastSeen }).catch(
      (error: unknown) => request.log.warn({ err: error }, 'last_used_at could not be updated'),
    )
  }
}
